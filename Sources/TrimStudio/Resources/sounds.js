// Which audio track is heard, where a file has several. The program delivers it; a cut does not depend on it.

const byId = (id) => document.getElementById(id);

export class Sounds {
  /** @param tracks the first one is what a browser plays by itself */
  constructor(editor, tracks) {
    Object.assign(this, { editor, tracks });
    const list = byId("heard");
    byId("heard-label").hidden = tracks.length < 2;
    list.replaceChildren(...tracks.map(({ id, words }) => new Option(`${id}: ${words}`, id)));
    list.addEventListener("change", () => this.choose(Number(list.value)));
  }

  /** Only tracks of the first file can be chosen. */
  show(isFirst) {
    byId("heard-label").hidden = !isFirst || this.tracks.length < 2;
    if (isFirst && this.note) this.editor.note(this.note);
  }

  choose(id) {
    const { editor, tracks } = this;
    editor.pause();
    const isFirst = id === tracks[0].id;
    editor.file.heard = isFirst ? null : id;
    this.note = isFirst ? null
      : `You hear track ${tracks.find((track) => track.id === id).words}. `
        + "The export is not affected: it writes the tracks chosen under “Tracks and mode”.";
    byId("preview-note").hidden = isFirst;
    if (!isFirst) editor.note(this.note);
    editor.player.openAgain();
    editor.timeline.forgetLevels();
  }
}
