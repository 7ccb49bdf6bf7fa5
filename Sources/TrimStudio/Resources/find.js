// Find…: silence, black, still pictures, scenes and fades. The program looks and decides what follows; this asks, lists
// what was found, and says which of it is meant.

import { Time } from "./times.js";
import { page } from "./wire.js";

const byId = (id) => document.getElementById(id);
const NAMES = { silence: "Silence", black: "Black", still: "Still picture", scene: "Scenes", fade: "Fades" };
const MOST = 1000; // rows in the list
const MARGINS = [["0", "0 s"], ["1/20", "0.05 s"], ["1/10", "0.1 s"], ["1/5", "0.2 s"], ["1/2", "0.5 s"]];
const USUAL_MARGIN = "1/10";

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

export class Find {
  /** @param choices what can be looked for in this file */
  constructor(editor, choices) {
    Object.assign(this, { editor, choices, file: editor.file, rows: [], number: 0, left: new Set() });
    this.panel = byId("find");
    byId("show-find").addEventListener("click", () => this.toggle());
    this.file.keepsLooking = () => this.isMine;
  }

  toggle() { if (this.isOpen) this.close(); else this.open(); }

  get isOpen() { return !this.panel.hidden; }

  open() {
    if (!this.panel.children.length) {
      this.build();
      this.fill();
    }
    this.panel.hidden = false;
    byId("editor").dataset.finds = "";
    byId("show-find").setAttribute("aria-expanded", "true");
    this.panel.querySelector(this.asked.open ? "input:not(:disabled)" : "summary").focus();
    this.panel.scrollIntoView({ block: "nearest" });
    this.draw();
  }

  close() {
    this.panel.hidden = true;
    delete byId("editor").dataset.finds;
    byId("show-find").setAttribute("aria-expanded", "false");
    byId("show-find").focus();
  }

  // The panel

  build() {
    this.form = made("form", { className: "wishes" }, ...this.choices.map((choice) => this.choice(choice)));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.look();
    });
    this.go = made("button", { textContent: "Find", className: "primary" });
    this.end = button("Stop", () => this.file.endFind(), { hidden: true });
    this.bar = made("progress", { hidden: true, ariaLabel: "Looking" });
    this.seconds = made("span", { className: "dim" });
    this.said = made("p", { className: "dim" });
    this.said.setAttribute("role", "status");
    this.bad = made("p", { className: "typed-note" });
    this.bad.setAttribute("role", "alert");
    this.form.append(made("div", { className: "row" }, this.go, this.end, this.bar, this.seconds), this.bad);
    this.gaps = made("ul", { className: "gaps" });
    this.shown = made("select", { title: "What the list shows" });
    this.shown.addEventListener("change", () => this.list());
    this.all = made("input", { type: "checkbox", checked: true });
    this.all.addEventListener("change", () => {
      for (const { finding: { id } } of this.ofKind) {
        if (this.all.checked) this.left.delete(id);
        else this.left.add(id);
      }
      this.list();
    });
    this.before = button("‹", () => this.step(-1), { title: "Previous finding  :", ariaLabel: "Previous finding" });
    this.after = button("›", () => this.step(1), { title: "Next finding  \"", ariaLabel: "Next finding" });
    this.listed = made("ol", { id: "find-rows", tabIndex: 0, ariaLabel: "What was found" });
    this.margin = made("select", {}, ...MARGINS.map(([value, words]) => new Option(words, value)));
    this.margin.value = USUAL_MARGIN;
    const act = (name, type, title, fields = () => ({})) =>
      button(name, () => this.editor.send(type, { ids: this.meant, ...fields() }), { title });
    this.acts = [
      act("Keep these", "findings_did_keep", "Each becomes a part"),
      act("Remove these", "findings_did_remove", "The rest is kept and joined", () => ({ margin: this.margin.value })),
      act("Split here", "findings_did_split", "Split the parts where scenes begin, and in the middle of the others"),
    ];
    this.undo = button("Undo", () => this.editor.send("undo_did_tap"));
    this.notice = made("p", { className: "notice" });
    this.notice.setAttribute("role", "status");
    this.result = made("div", { className: "found", hidden: true },
      made("div", { className: "row" },
        made("label", { className: "inline" }, made("span", { className: "sr", textContent: "Show" }), this.shown),
        this.before, this.after, made("label", { className: "inline" }, this.all, " all")),
      this.listed,
      made("div", { className: "row" }, ...this.acts, this.undo),
      made("label", { className: "inline" }, "Removing leaves at both ends ", this.margin));
    this.asked = made("details", { className: "manner", open: true },
      made("summary", { textContent: "What to look for" }), this.form);
    this.panel.append(
      made("div", { className: "row heading" }, made("h2", { textContent: "Find" }),
        button("Close", () => this.close(), { className: "small" })),
      this.asked, this.said, this.gaps, this.result, this.notice);
  }

  choice({ kind, refusal, thresholds }) {
    const box = made("input", { type: "checkbox", name: kind, checked: !refusal, disabled: Boolean(refusal) });
    const label = made("label", { className: "inline" }, box, ` ${NAMES[kind]}${refusal ? ` (${refusal})` : ""}`);
    const fields = thresholds.map(({ id, title, usual }) => {
      const field = made("input", { name: id, value: usual, autocomplete: "off", spellcheck: false, size: 5, disabled: Boolean(refusal) });
      field.setAttribute("aria-label", `${NAMES[kind]}: ${title}`);
      return made("label", { className: "inline" }, title, field);
    });
    return made("div", { className: "wish" }, label, ...fields);
  }

  async look() {
    this.bad.textContent = "";
    const chosen = this.choices.filter(({ kind }) => this.form.elements[kind].checked);
    const thresholds = Object.fromEntries(chosen.flatMap((choice) => choice.thresholds)
      .map(({ id }) => [id, this.form.elements[id].value.trim()]));
    try {
      await this.file.find(chosen.map(({ kind }) => kind), thresholds);
    } catch (error) {
      this.bad.textContent = error.message;
    }
  }

  // What was found

  get isMine() { return this.state?.page === page; }
  get ofKind() { return this.rows.filter(({ finding: { kind } }) => kind === this.shown.value); }
  /** Which of it the next action is about. */
  get meant() { return this.ofKind.map(({ finding: { id } }) => id).filter((id) => !this.left.has(id)); }

  step(count) {
    this.editor.looked = "playhead";
    const kind = this.isOpen && this.rows.length ? this.shown.value : undefined;
    this.editor.send("finding_did_step", { count, kind });
  }

  update({ finding, words }, screen) {
    const isNew = finding.number !== this.number;
    Object.assign(this, { state: finding, number: finding.number, canUndo: screen.can_undo, told: words.notice });
    if (isNew) this.fetch();
    this.draw();
  }

  async fetch() {
    const { number, rows } = await this.file.findings().catch(() => ({ rows: [] }));
    if (number !== this.number) return;
    this.rows = rows;
    this.left.clear();
    this.editor.findings = rows.map(({ finding: { kind, range } }) => ({
      kind, start: new Time(range.start).seconds, end: new Time(range.end).seconds,
    }));
    this.editor.draw();
    this.fill();
  }

  /** What was found may be known before the panel is opened. */
  fill() {
    if (!this.panel.children.length) return;
    const { rows } = this;
    const kinds = Object.keys(NAMES).filter((kind) => rows.some(({ finding }) => finding.kind === kind));
    const before = this.shown.value;
    this.shown.replaceChildren(...kinds.map((kind) => {
      const count = rows.filter(({ finding }) => finding.kind === kind).length;
      return new Option(`${NAMES[kind]}: ${count}`, kind);
    }));
    if (kinds.includes(before)) this.shown.value = before;
    // What can be done with it stays in sight.
    this.asked.open = !rows.length;
    this.list();
  }

  draw() {
    if (!this.isOpen || !this.state) return;
    const { page: looking, sentence, gaps, failure, count } = this.state;
    this.go.disabled = Boolean(looking);
    this.end.hidden = this.bar.hidden = !looking;
    this.tick();
    if (failure) this.bad.textContent = failure;
    if (!looking)
      this.said.textContent = sentence ? `${count === 0 ? "Nothing" : count} found: ${sentence}.` : "";
    if (JSON.stringify(gaps) !== this.drawnGaps) {
      this.drawnGaps = JSON.stringify(gaps);
      this.gaps.replaceChildren(...gaps.map((textContent) => made("li", { textContent })));
    }
    this.result.hidden = !this.rows.length;
    this.undo.disabled = !this.canUndo;
    this.notice.textContent = this.told ?? "";
  }

  /** How long it has been looking. */
  tick() {
    const isLooking = Boolean(this.state.page);
    if (!isLooking) {
      clearInterval(this.ticking);
      this.ticking = this.began = null;
    } else if (!this.ticking) {
      this.bad.textContent = "";
      this.began = performance.now();
      this.ticking = setInterval(() => this.tick(), 1000);
    }
    if (isLooking) this.said.textContent = "Looking…";
    this.seconds.textContent = isLooking ? `${Math.round((performance.now() - this.began) / 1000)} s` : "";
  }

  list() {
    const rows = this.ofKind;
    const meant = this.meant.length;
    this.all.checked = meant === rows.length;
    this.all.indeterminate = meant > 0 && meant < rows.length;
    for (const act of this.acts) act.disabled = !meant;
    this.result.hidden = !this.rows.length;
    const more = rows.length > MOST ? [made("li", { className: "dim", textContent: `and ${rows.length - MOST} more` })] : [];
    this.listed.replaceChildren(...rows.slice(0, MOST).map((row) => this.row(row)), ...more);
  }

  row({ finding: { id, range }, words, length }) {
    const box = made("input", { type: "checkbox", checked: !this.left.has(id) });
    box.setAttribute("aria-label", `Include ${words}`);
    box.addEventListener("change", () => {
      if (box.checked) this.left.delete(id);
      else this.left.add(id);
      const meant = this.meant.length, count = this.ofKind.length;
      this.all.checked = meant === count;
      this.all.indeterminate = meant > 0 && meant < count;
      for (const act of this.acts) act.disabled = !meant;
    });
    const place = button(words, () => {
      this.editor.looked = "playhead";
      this.editor.send("playhead_did_move", { position: range.start });
    }, { className: "small" });
    place.setAttribute("aria-label", `Go to ${words}`);
    return made("li", {}, box, place, made("span", { className: "dim", textContent: length }));
  }
}
