// Lists of parts that other programs use, and the project. The program reads and writes them; this asks, and says
// what was left out.

function made(kind, fields, ...content) {
  const element = Object.assign(document.createElement(kind), fields);
  element.append(...content);
  return element;
}

function button(textContent, work, fields = {}) {
  const element = made("button", { textContent, type: "button", ...fields });
  element.addEventListener("click", work);
  return element;
}

/** A choice of two, of which the first is on. */
function choice(name, words, value, checked) {
  return made("label", { className: "inline" }, made("input", { type: "radio", name, value, checked }), ` ${words}`);
}

export class Lists {
  /** @param formats what the parts can be written as */
  constructor(editor, formats) {
    Object.assign(this, { editor, formats, file: editor.file });
    this.chosen = made("input", { type: "file", id: "list-file" });
    this.manner = made("div", { className: "row" },
      choice("list-place", "in place of the parts", "replace", true),
      choice("list-place", "after the parts", "add", false));
    this.manner.setAttribute("role", "radiogroup");
    this.manner.setAttribute("aria-label", "Where the parts of the list go");
    this.format = made("select", { id: "list-format" },
      ...formats.map(({ id, name, ending }) => new Option(`${name} (.${ending})`, id)));
    this.said = made("p", { className: "dim", id: "list-said" });
    this.said.setAttribute("role", "status");
    this.bad = made("p", { className: "typed-note", id: "list-bad" });
    this.bad.setAttribute("role", "alert");
    this.notes = made("ul", { className: "gaps", id: "list-notes", tabIndex: 0, hidden: true });
    this.notes.setAttribute("aria-label", "What was left out");
    this.undo = button("Undo", () => editor.send("undo_did_tap"));
    this.dialog = made("dialog", { id: "lists" },
      made("h2", { id: "lists-title", textContent: "Lists and project" }),
      made("fieldset", {}, made("legend", { textContent: "Import a list" }),
        made("label", {}, "EDL, OpenTimelineIO, Final Cut, LosslessCut, scenes, chapters, subtitles, labels ", this.chosen),
        this.manner, button("Import", () => this.work(() => this.take()), { id: "list-import" })),
      made("fieldset", {}, made("legend", { textContent: "Export the parts as a list" }),
        made("label", { className: "inline" }, "Format ", this.format),
        button("Download", () => this.work(() => this.give()), { id: "list-export" })),
      made("fieldset", {}, made("legend", { textContent: "Project" }),
        made("p", { className: "dim", textContent: "Parts, names, markers, limit, tracks and file type, to go on with later: trim studio opens it." }),
        button("Save project", () => this.work(() => this.save()), { id: "project-save" })),
      this.bad, this.said, this.notes,
      made("div", { className: "row" }, this.undo, button("Close", () => this.dialog.close(), { className: "primary" })));
    this.dialog.setAttribute("aria-labelledby", "lists-title");
    document.body.append(this.dialog);
  }

  open() {
    this.tell("", []);
    this.update(this.editor.screen);
    this.dialog.showModal();
  }

  update(screen) { this.undo.disabled = !screen.can_undo; }

  tell(sentence, notes) {
    this.bad.textContent = "";
    this.said.textContent = sentence;
    this.notes.hidden = !notes.length;
    this.notes.replaceChildren(...notes.map((textContent) => made("li", { textContent })));
  }

  /** One request at a time; a refusal is shown. */
  async work(request) {
    if (this.isWorking) return;
    this.isWorking = true;
    this.tell("", []);
    try {
      await request();
    } catch (error) {
      this.bad.textContent = error instanceof TypeError ? "The studio does not respond." : error.message;
    }
    this.isWorking = false;
  }

  async take() {
    const [file] = this.chosen.files;
    if (!file) {
      this.chosen.focus();
      this.bad.textContent = "Choose a list first.";
      return;
    }
    const adds = this.manner.querySelector("input:checked").value === "add";
    this.said.textContent = "Reading…";
    const bytes = new Uint8Array(await file.arrayBuffer());
    const { sentence, notes } = await this.file.importList(bytes, adds).catch((error) => {
      this.said.textContent = "";
      throw error;
    });
    this.tell(sentence, notes);
  }

  async give() {
    await this.file.last;
    const { name, text, notes } = await this.file.exportList(this.format.value);
    const link = made("a", { href: URL.createObjectURL(new Blob([text])), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    this.tell(`Written: ${name}`, notes);
  }

  async save() {
    await this.file.last;
    this.tell(`Saved: ${await this.file.saveProject()}`, []);
  }
}
