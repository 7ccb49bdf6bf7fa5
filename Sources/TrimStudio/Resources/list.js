// The list of parts with pictures, lengths and sizes, in the order of export.

import { Time } from "./times.js";

const byId = (id) => document.getElementById(id);
const ORDERS = { time: "By time", name: "By name", length: "By length" };

function made(kind, fields, ...content) {
  const element = Object.assign(document.createElement(kind), fields);
  element.append(...content);
  return element;
}

export class PartsList {
  constructor(file, editor) {
    Object.assign(this, { file, editor });
    this.rows = made("ol", { id: "parts-list" });
    this.total = made("p", { className: "dim" });
    this.total.setAttribute("role", "status");
    const sorts = Object.entries(ORDERS).map(([order, textContent]) => {
      const button = made("button", { className: "small", textContent });
      button.addEventListener("click", () => editor.send("parts_did_sort", { order }));
      return button;
    });
    const group = made("div", { className: "row sorts" }, made("span", { className: "dim" }, "Sort"), ...sorts);
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "Sort");
    this.undo = made("button", { textContent: "Undo" });
    this.undo.addEventListener("click", () => editor.send("undo_did_tap"));
    const add = made("button", { textContent: "Add a file…", hidden: byId("add-file").hidden });
    add.addEventListener("click", () => editor.addFile());
    const close = made("button", { textContent: "Close" });
    close.addEventListener("click", () => this.dialog.close());
    this.dialog = made("dialog", { id: "parts-dialog" }, made("h2", { id: "parts-title" }, "Parts"), group,
      this.rows, this.total, made("div", { className: "row" }, this.undo, add, close));
    this.dialog.setAttribute("aria-labelledby", "parts-title");
    document.body.append(this.dialog);
  }

  open() {
    this.dialog.showModal();
    this.update(this.editor.state);
  }

  update(state) {
    if (!this.dialog.open) return;
    const { list, can_undo: canUndo } = state.message.screen;
    const { parts, selected_index: selected } = list;
    this.undo.disabled = !canUndo;
    this.total.textContent = state.plan?.sentence ?? "";
    const drawn = JSON.stringify([parts, selected, state.plan?.sizes, state.sources]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const focused = document.activeElement?.dataset?.part;
    this.rows.replaceChildren(...parts.map((part, index) => this.row(part, index, selected, state)));
    if (focused) this.rows.querySelector(`[data-part="${focused}"]`)?.focus();
  }

  row(part, index, selected, { words, plan, sources }) {
    const { id, name, range, source = 0 } = part;
    const start = new Time(range.start);
    const file = this.editor.fileOf(source);
    const facts = this.editor.openings.get(source)?.facts;
    const picture = facts && !facts.shape ? ""
      : made("img", { src: file.still(start, 160, 90), alt: "", width: 80, height: 45, draggable: false });
    if (picture) picture.addEventListener("error", () => picture.remove());
    const title = `${index + 1}. ${name || "Part"}`;
    const select = made("button", { className: "part" }, picture, made("span", { className: "name" }, title),
      made("span", { className: "dim" }, [sources && this.editor.nameOf(part), words.parts[index]].filter(Boolean).join(" · ")));
    select.dataset.part = `${id}`;
    select.setAttribute("aria-current", String(index === selected));
    select.addEventListener("click", () => this.editor.send("part_did_select", { id }));
    const move = (count, text, isEnd) => {
      const button = made("button", { className: "small", textContent: text, disabled: isEnd });
      button.setAttribute("aria-label", `${text}: ${title}`);
      button.dataset.part = `${id}${text}`;
      button.addEventListener("click", () => {
        this.editor.send("part_did_select", { id });
        this.editor.send("part_did_move", { count });
      });
      return button;
    };
    const item = made("li", {}, select, made("span", {}, words.lengths[index]),
      made("span", { className: "dim" }, plan?.sizes[index] ?? ""),
      made("span", { className: "moves" }, move(-1, "Up", index === 0),
        move(1, "Down", index + 1 === this.editor.screen.list.parts.length)));
    this.editor.controls.letReorder(item, id, index);
    return item;
  }
}
