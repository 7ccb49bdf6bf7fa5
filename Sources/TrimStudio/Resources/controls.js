// The text and controls around the timeline: showing the state, and sending the user's requests.

const byId = (id) => document.getElementById(id);

/** Draws all text, from the state only. */
export class Controls {
  constructor(file, editor) {
    this.file = file;
    this.editor = editor;
    this.listen();
  }

  listen() {
    const { editor } = this;
    const on = (id, work) => byId(id).addEventListener("click", work);
    on("play", () => editor.playOrPause());
    on("back", () => editor.nudge({ frames: -1 }));
    on("ahead", () => editor.nudge({ frames: 1 }));
    on("to-in", () => editor.goTo("start"));
    on("to-out", () => editor.goTo("end"));
    on("mute", () => editor.mute());
    on("zoom-in", () => editor.zoom(0.5));
    on("zoom-out", () => editor.zoom(2));
    on("zoom-part", () => editor.zoomToPart());
    on("zoom-all", () => editor.zoomToAll());
    on("set-in", () => editor.send("in_point_did_set"));
    on("set-out", () => editor.send("out_point_did_set"));
    on("undo", () => editor.send("undo_did_tap"));
    on("redo", () => editor.send("redo_did_tap"));
    on("add-part", () => editor.send("part_did_add"));
    on("split-part", () => editor.send("part_did_split"));
    on("delete-part", () => editor.send("part_did_delete"));
    on("remove-range", () => editor.send("range_did_remove"));
    on("add-file", () => editor.addFile());
    on("list-parts", () => editor.listParts());
    on("show-lists", () => editor.showLists());
    for (const id of ["forget", "forget-held"]) on(id, () => this.choose("forget", ""));
    on("limit-remove", () => this.choose("limit", "none"));
    on("limit-change", () => editor.askLimit());
    byId("screen").addEventListener("click", () => editor.playOrPause());
    byId("part-name").addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.target.blur();
    });
    byId("part-name").addEventListener("change", ({ target }) => {
      const { parts, selected_index: selected } = editor.screen.list;
      editor.send("part_did_rename", { id: parts[selected].id, name: target.value.trim() });
    });
    on("preview", () => editor.preview());
    on("export", () => editor.export());
    on("cancel", () => editor.send("export_cancel_did_tap"));
    on("alert-close", () => editor.send("alert_did_close"));
    on("show-tutorial", () => editor.send("tutorial_did_tap"));
    on("tutorial-close", () => byId("tutorial").close());
    on("show-keys", () => editor.showKeys());
    on("keys-close", () => byId("keys").close());
    byId("tutorial").addEventListener("close", () => {
      // States already in transit before the session was notified do not reopen it.
      this.hasClosedTutorial = true;
      editor.send("tutorial_did_close");
    });
    byId("speed").addEventListener("change", (event) => editor.setSpeed(Number(event.target.value)));
    byId("volume").addEventListener("input", (event) => editor.setVolume(Number(event.target.value)));
    byId("snap").addEventListener("change", (event) =>
      editor.send("snap_did_change", { snap: event.target.value }));
    byId("join").addEventListener("change", (event) =>
      editor.send("join_did_change", { is_on: event.target.checked }));
    this.type("time-in", "in");
    this.type("time-out", "out");
    this.type("limit", "limit");
    this.type("output", "output");
    byId("kind").addEventListener("change", ({ target }) =>
      this.choose("output", byId("output").dataset.said.replace(/\.[^.]*$/, "") + "." + target.value));
    byId("mode").addEventListener("change", ({ target }) => this.choose("mode", target.value));
    byId("tracks").addEventListener("change", () => {
      const boxes = [...byId("tracks").querySelectorAll("input:checked")];
      this.choose("tracks", boxes.map((box) => box.value).join(","));
    });
  }

  /** A refusal is reported, and the actual value is shown. */
  async choose(purpose, text) {
    byId("typed-note").textContent = "";
    try {
      await this.file.text(purpose, text);
    } catch (error) {
      byId("typed-note").textContent = error.message;
      this.drawnTracks = null;
      this.updateManner(this.manner);
    }
  }

  /** A field shows the current value; typed text is applied by Enter or on blur, or refused. */
  type(id, purpose) {
    const field = byId(id);
    const take = async () => {
      if (field.value === field.dataset.said) return this.say(field, "");
      this.taking = Promise.resolve(this.taking).then(apply);
      await this.taking;
    };
    const apply = async () => {
      // What was typed is a time of a file that is no longer selected.
      if (this.editor.isTurning && ["in", "out"].includes(purpose)) return this.say(field, "");
      try {
        await this.file.text(purpose, field.value.trim());
        this.say(field, "");
        delete field.dataset.typed;
      } catch (error) {
        this.say(field, error.message);
      }
    };
    field.addEventListener("focus", () => field.select());
    field.addEventListener("input", () => { field.dataset.typed = ""; });
    field.addEventListener("change", take);
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        field.value = field.dataset.said;
        delete field.dataset.typed;
        this.say(field, "");
        field.blur();
      }
      if (event.key === "Enter") field.blur();
      event.stopPropagation();
    });
  }

  /** Whether the text of a field was refused, and is still there; it gets the focus. */
  async isRefused() {
    // A click elsewhere ends the typing first.
    await this.taking;
    const field = document.querySelector("#editor input[aria-invalid=true]");
    field?.focus();
    return Boolean(field);
  }

  say(field, sentence) {
    byId("typed-note").textContent = sentence;
    field.setAttribute("aria-invalid", String(sentence !== ""));
    if (!sentence) delete field.dataset.typed;
    if (!sentence && field.dataset.said !== undefined) field.value = field.dataset.said;
  }

  fill(id, text) {
    const field = byId(id);
    field.dataset.said = text;
    if (!("typed" in field.dataset)) field.value = text;
  }

  update(state, screen, { isMine }) {
    const { words } = state;
    this.fill("time-in", words.start);
    this.fill("time-out", words.end);
    this.fill("limit", words.limit);
    this.fill("output", state.manner.output);
    this.updateManner(state.manner);
    byId("length").textContent = words.length;
    if (!isMine) byId("playhead-time").textContent = words.playhead;
    byId("frame").textContent = [
      screen.frame === undefined || screen.frame === null ? "" : `frame ${screen.frame}`,
      words.timecode ?? "",
    ].filter(Boolean).join(" · ");
    byId("undo").disabled = !screen.can_undo;
    byId("redo").disabled = !screen.can_redo;
    byId("snap").value = screen.snap;
    byId("notice").textContent = words.notice ?? "";
    byId("returned").hidden = !state.has_returned;
    byId("work-note").textContent = state.work_note ?? "";
    byId("held").hidden = !state.is_held;
    this.updateFolder(state.manner.folder);
    this.updateVerdict(words, screen);
    this.updatePlay(screen);
    this.updateParts(state, screen);
    this.updateExport(state, words, screen);
    const tutorial = byId("tutorial");
    if (!screen.is_tutorial_visible) {
      this.hasClosedTutorial = false;
      if (tutorial.open) tutorial.close();
    } else if (!tutorial.open && !this.hasClosedTutorial) {
      tutorial.showModal();
    }
  }

  updateVerdict(words, screen) {
    const verdict = byId("verdict");
    verdict.textContent = words.verdict;
    verdict.dataset.verdict = screen.verdict.verdict;
    byId("over").hidden = screen.verdict.verdict !== "too_long";
    for (const id of ["time-in", "time-out"])
      byId(id).closest(".time").dataset.verdict = screen.verdict.verdict;
  }

  updatePlay(screen) {
    byId("play").setAttribute("aria-pressed", String(screen.is_playing));
    byId("play-name").textContent = screen.is_playing ? "Pause" : "Play";
  }

  updateParts({ words, sources }, screen) {
    const { parts, selected_index: selected, joins } = screen.list;
    const list = byId("parts");
    list.hidden = parts.length < 2;
    byId("join-label").hidden = parts.length < 2;
    byId("join").checked = joins;
    byId("delete-part").disabled = parts.length < 2;
    byId("name-label").hidden = parts.length < 2;
    byId("list-parts").hidden = parts.length < 2;
    if (document.activeElement !== byId("part-name")) byId("part-name").value = parts[selected].name;
    const drawn = JSON.stringify([parts, selected, words.parts, sources]);
    if (drawn === this.drawnParts) return;
    this.drawnParts = drawn;
    list.replaceChildren(...parts.map((part, index) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.textContent = `${part.name ? `${part.name}: ` : ""}${words.parts[index]}`;
      if (sources) {
        const name = document.createElement("span");
        name.className = "of dim";
        name.textContent = ` ${this.editor.nameOf(part)}`;
        button.append(name);
      }
      button.setAttribute("aria-current", String(index === selected));
      button.addEventListener("click", () =>
        this.editor.send("part_did_select", { id: part.id }));
      this.letReorder(item, part.id, index);
      item.append(button);
      return item;
    }));
  }

  /** Dragging a part to another place of the list changes the order of export. */
  letReorder(item, id, index) {
    item.draggable = true;
    item.addEventListener("dragstart", (event) => {
      this.moved = { id, index };
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", String(index + 1));
    });
    item.addEventListener("dragover", (event) => { if (this.moved) event.preventDefault(); });
    item.addEventListener("drop", (event) => {
      const { moved } = this;
      this.moved = null;
      if (!moved) return;
      event.preventDefault();
      this.editor.send("part_did_select", { id: moved.id });
      this.editor.send("part_did_move", { count: index - moved.index });
    });
    item.addEventListener("dragend", () => { this.moved = null; });
  }

  updateManner(manner) {
    this.manner = manner;
    const kind = byId("kind");
    const ending = manner.output.split(".").pop().toLowerCase();
    if (!kind.options.length) {
      const option = ({ ending, name }) => new Option(name, ending);
      const more = document.createElement("optgroup");
      more.label = "More";
      more.append(...manner.types.filter((type) => !type.is_first).map(option));
      kind.replaceChildren(...manner.types.filter((type) => type.is_first).map(option), more);
    }
    if (![...kind.options].some(({ value }) => value === ending)) kind.append(new Option(ending));
    kind.value = ending;
    byId("mode").value = manner.mode;
    const drawn = JSON.stringify(manner.tracks);
    if (drawn === this.drawnTracks) return;
    this.drawnTracks = drawn;
    const fields = byId("tracks");
    for (const label of fields.querySelectorAll("label")) label.remove();
    for (const { id, words, is_written: isWritten } of manner.tracks) {
      const label = document.createElement("label");
      const box = document.createElement("input");
      Object.assign(box, { type: "checkbox", value: String(id), checked: isWritten });
      label.append(box, ` ${id}: ${words}`);
      fields.append(label);
    }
  }

  /** Where outputs go, and if that is impossible, where else they could go. */
  updateFolder(folder) {
    const drawn = JSON.stringify(folder);
    if (drawn === this.drawnFolder) return;
    this.drawnFolder = drawn;
    byId("where").hidden = !folder;
    byId("where-name").textContent = folder?.name ?? "";
    byId("where-name").title = folder?.name ?? "";
    byId("where-refusal").hidden = !folder?.refusal;
    byId("where-reason").textContent = folder?.refusal ?? "";
    byId("where-others").replaceChildren(...(folder?.others ?? []).map(({ id, name }) => {
      const button = document.createElement("button");
      button.className = "small";
      button.textContent = `Write to ${name}`;
      button.addEventListener("click", () => this.choose("folder", String(id)));
      return button;
    }));
  }

  updateExport(state, words, screen) {
    const { state: phase, fraction } = screen.export_state;
    const isIdle = phase === "idle";
    const export_ = byId("export");
    export_.disabled = !screen.is_export_enabled;
    for (const id of ["output", "kind", "mode", "tracks", "choose-folder", "add-file"]) byId(id).disabled = !isIdle;
    byId("plan").textContent = state.plan ? `${state.plan.sentence}` : "";
    byId("progress").hidden = isIdle;
    if (phase === "exporting") this.progress(fraction);
    else this.began = null;
    byId("progress-bar").toggleAttribute("data-ending", phase === "cancelling");
    if (phase === "cancelling") byId("progress-text").textContent = "Canceling …";
    const { results } = state;
    byId("done").hidden = !isIdle || !results.length || Boolean(words.alert);
    const drawn = JSON.stringify(results);
    if (drawn !== this.drawnResults) {
      this.drawnResults = drawn;
      byId("done-text").textContent = written(results.map(({ place }) => place));
      byId("done-text").title = byId("done-text").textContent;
      byId("results").replaceChildren(...results.map(({ number, name }) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = this.file.result(number);
        link.download = name;
        link.textContent = `Download ${name}`;
        item.append(link);
        return item;
      }));
    }
    byId("alert").hidden = !words.alert;
    byId("alert-text").textContent = words.alert ?? "";
  }

  /** Progress and remaining time: for display only. */
  progress(fraction) {
    const [n, d] = String(fraction).split("/");
    const share = Number(n) / Number(d ?? 1);
    this.began ??= performance.now();
    byId("progress-bar").value = share;
    const passed = (performance.now() - this.began) / 1000;
    const left = share > 0.02 && passed > 1 ? passed / share - passed : null;
    byId("progress-text").textContent = `${Math.floor(share * 100)} %`
      + (left === null ? "" : `, about ${Math.max(1, Math.round(left))} s left`);
  }
}

/** `Written: 2 files in /videos`; the list of downloads has the names. */
function written(places) {
  const folder = places[0]?.slice(0, places[0].lastIndexOf("/")) ?? "";
  const files = places.length === 1 ? places[0].slice(places[0].lastIndexOf("/") + 1) : `${places.length} files`;
  return `Written: ${files}${folder ? ` in ${folder}` : ""}`;
}
