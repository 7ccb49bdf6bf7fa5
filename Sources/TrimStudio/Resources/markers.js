// Markers: places of the video to find again. The session keeps them; this shows and names them.

const byId = (id) => document.getElementById(id);

export class Markers {
  constructor(editor) {
    this.editor = editor;
    const on = (id, work) => byId(id).addEventListener("click", work);
    on("marker-add", () => editor.send("marker_did_add"));
    on("marker-before", () => this.step(-1));
    on("marker-after", () => this.step(1));
    on("marker-list", () => byId("markers").showModal());
    on("markers-close", () => byId("markers").close());
  }

  step(count) {
    this.editor.looked = "playhead";
    this.editor.send("marker_did_step", { count });
  }

  /** Those of the file that is shown. */
  update({ list: { markers: all = [] } }, { markers: times }) {
    const shown = all.map((marker, index) => ({ marker, time: times[index] }))
      .filter(({ marker }) => this.editor.isShown(marker));
    const markers = shown.map(({ marker }) => marker);
    for (const id of ["marker-before", "marker-after"]) byId(id).disabled = !markers.length;
    const list = byId("marker-list");
    list.disabled = !markers.length;
    list.textContent = markers.length === 0 ? "Markers" : markers.length === 1 ? "1 marker" : `${markers.length} markers`;
    if (!markers.length) byId("markers").close();
    const drawn = JSON.stringify(shown);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const focused = document.activeElement?.dataset?.marker;
    byId("marker-rows").replaceChildren(...shown.map(({ marker, time }) => this.row(marker, time)));
    if (focused) byId("marker-rows").querySelector(`[data-marker="${focused}"]`)?.focus();
  }

  row({ id, position, name }, time) {
    const { editor } = this;
    const item = document.createElement("li");
    const place = document.createElement("button");
    place.textContent = time;
    place.setAttribute("aria-label", `Go to ${time}`);
    place.addEventListener("click", () => {
      editor.looked = "playhead";
      editor.send("playhead_did_move", { position });
    });
    const field = document.createElement("input");
    Object.assign(field, { value: name, maxLength: 100, placeholder: "Name", autocomplete: "off" });
    field.dataset.marker = id;
    field.setAttribute("aria-label", `Name of the marker at ${time}`);
    field.addEventListener("change", () => editor.send("marker_did_rename", { id, name: field.value.trim() }));
    const remove = document.createElement("button");
    remove.textContent = "Delete";
    remove.setAttribute("aria-label", `Delete the marker at ${time}`);
    remove.addEventListener("click", () => editor.send("marker_did_delete", { id }));
    item.append(place, field, remove);
    return item;
  }
}
