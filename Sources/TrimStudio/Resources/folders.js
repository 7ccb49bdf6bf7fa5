// Folders: opening another file, and choosing where outputs go. The program lists them; every entry has a number.

import { folder as openable, openListed } from "./wire.js";

const byId = (id) => document.getElementById(id);

/** @param text of an element */
function made(kind, fields, ...content) {
  const element = Object.assign(document.createElement(kind), fields);
  element.append(...content);
  return element;
}

/** A dialog that shows one folder at a time. */
class FolderDialog {
  constructor() {
    this.title = made("h2", { id: "folders-title" });
    this.name = made("p", { className: "dim" });
    this.list = made("ul", {});
    this.note = made("p", { className: "typed-note" });
    this.note.setAttribute("role", "alert");
    this.field = made("input", { autocomplete: "off", spellcheck: false, maxLength: 100 });
    this.maker = made("form", { className: "row" },
      made("label", { className: "inline" }, "New folder ", this.field),
      made("button", { className: "small", textContent: "Make folder" }));
    this.choice = made("button", { className: "primary", textContent: "Write here" });
    this.choice.addEventListener("click", () => this.attempt(async () => {
      await this.choose(this.listing.id);
      this.dialog.close();
    }));
    const close = made("button", { textContent: "Close" });
    close.addEventListener("click", () => this.dialog.close());
    this.dialog = made("dialog", { id: "folders" }, this.title, this.name, this.list, this.note,
      this.maker, made("div", { className: "row" }, this.choice, close));
    this.dialog.setAttribute("aria-labelledby", "folders-title");
    this.maker.addEventListener("submit", (event) => {
      event.preventDefault();
      this.attempt(async () => {
        await this.show(await this.make(this.listing.id, this.field.value.trim()));
        this.field.value = "";
      });
    });
    document.body.append(this.dialog);
  }

  /** To open a file. */
  browse() {
    Object.assign(this, {
      get: openable, make: null, choose: null,
      take: async (listed) => { location.href = `/?file=${await openListed(listed)}`; },
    });
    this.begin("Open a file");
  }

  /** To add a part of a file to the list of another one. */
  addTo(file) {
    Object.assign(this, {
      get: openable, make: null, choose: null,
      take: async (listed, name) => {
        this.name.textContent = `Reading ${name} …`;
        await file.addSource(await openListed(listed));
        // With several files, the address says which one the page shows.
        history.replaceState(null, "", `/?file=${file.id}`);
        this.dialog.close();
      },
    });
    this.begin("Add a file");
  }

  /** To choose the folder that outputs of a file go to. */
  chooseFor(file) {
    Object.assign(this, {
      get: (id) => file.folder(id), make: (folder, name) => file.makeFolder(folder, name),
      choose: (id) => file.text("folder", String(id)),
    });
    this.begin("Where to write");
  }

  begin(title) {
    this.title.textContent = title;
    this.list.replaceChildren();
    this.dialog.showModal();
    this.attempt(() => this.show(null));
  }

  /** A refusal is shown as a sentence. */
  async attempt(work) {
    this.note.textContent = "";
    try {
      await work();
    } catch (error) {
      this.note.textContent = error.message;
    }
  }

  /** One file at a time: a long one may take long to read. */
  async choosing(file, name) {
    if (this.isTaking) return;
    this.isTaking = true;
    try {
      await this.take(file, name);
    } finally {
      this.isTaking = false;
      this.name.textContent = this.listing.name;
    }
  }

  async show(id) {
    const listing = await this.get(id);
    this.listing = listing;
    this.name.textContent = listing.name;
    const entry = (name, kind, work) => {
      const button = made("button", { className: kind, textContent: name });
      button.addEventListener("click", () => this.attempt(work));
      return made("li", {}, button);
    };
    const rows = listing.folders.map(({ id: inner, name }) =>
      entry(name, "folder", () => this.show(inner)));
    if (listing.parent !== undefined && listing.parent !== null)
      rows.unshift(entry("Folder above", "above", () => this.show(listing.parent)));
    rows.push(...listing.files.map(({ id: file, name }) => entry(name, "media", () => this.choosing(file, name))));
    if (listing.left_out) rows.push(made("li", { className: "dim" }, `${listing.left_out} more are not listed.`));
    if (!rows.length) rows.push(made("li", { className: "dim" }, this.choose ? "No folders." : "No media files."));
    this.list.replaceChildren(...rows);
    const isPlace = Boolean(this.choose) && listing.id !== undefined && listing.id !== null;
    this.maker.hidden = this.choice.hidden = !isPlace;
    this.choice.disabled = Boolean(listing.refusal);
    if (isPlace && listing.refusal) this.note.textContent = listing.refusal;
    (this.list.querySelector("button") ?? this.choice).focus();
  }
}

/**
 * @param file the file that is open now, if any
 * @returns the dialog
 */
export function listenToFolders(file) {
  const dialog = new FolderDialog();
  byId("open-file").addEventListener("click", () => dialog.browse());
  byId("choose-folder").addEventListener("click", () => dialog.chooseFor(file()));
  refuseFiles();
  return dialog;
}

/** A page is told the content of a dropped file, not where it is: it could not be cut in place. */
function refuseFiles() {
  const isFile = (event) => [...event.dataTransfer?.types ?? []].includes("Files");
  addEventListener("dragover", (event) => { if (isFile(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    const strip = byId("dropped");
    strip.hidden = false;
    strip.textContent = byId("open-file").hidden
      ? "A browser does not tell where a dropped file is: start 'trim studio' with the name of the file."
      : "A browser does not tell where a dropped file is: use Open… to find it here, or start 'trim studio' "
        + "with its name.";
    setTimeout(() => { strip.hidden = true; }, 12000);
  });
}
