// The beginning of a long file, which can be played while the whole file is still being read.

import { Player, Solo } from "./player.js";
import { Frames, Time, clock, zero } from "./times.js";

const byId = (id) => document.getElementById(id);
const ONE_LOOK = 500; // ms between two requests for the reading progress

export class Beginning extends Solo {
  constructor(file, { facts, frames, bounds, media }) {
    super();
    this.file = file;
    this.bounds = { start: new Time(bounds.start), end: new Time(bounds.end) };
    this.position = zero;
    this.over = new AbortController();
    byId("name").textContent = facts.name;
    byId("summary").textContent = facts.summary;
    document.title = `${facts.name} – trim studio`;
    const editor = byId("editor");
    editor.hidden = false;
    editor.dataset.pictures = String(Boolean(facts.shape));
    this.idle = [...editor.querySelectorAll("section:not(.stage, .transport), .transport *:is(button, select, input)")]
      .filter((element) => element.id !== "play");
    for (const element of this.idle) element.inert = true;
    this.player = new Player(
      { videos: [byId("video"), byId("spare")], still: byId("still"), screen: byId("screen") }, file.beginning, {
        onPosition: (seconds) => this.move(seconds), onReport: (time) => this.report(time),
        onPictures: () => {}, onStream: () => {}, onRefused: () => this.setPlaying(false),
      });
    this.player.range = this.bounds;
    this.player.open({ facts, frames: new Frames(frames), bounds: this.bounds, media });
    this.player.show(zero);
    this.listen();
    this.tell();
  }

  listen() {
    const { signal } = this.over;
    byId("play").addEventListener("click", () => this.playOrPause(), { signal });
    addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "k" || event.target.matches("button")) return;
      event.preventDefault();
      this.playOrPause();
    }, { signal });
  }

  /** Reports the reading progress until the file is open. */
  async tell() {
    while (!this.over.signal.aborted) {
      const { done, total } = await this.file.reading().catch(() => ({}));
      if (this.over.signal.aborted) return;
      const share = total ? `, ${Math.min(99, Math.floor(100 * done / total))} %` : "";
      const note = byId("preview-note");
      note.hidden = false;
      note.textContent = `All of this file is being read, so that every cut is exact${share}. `
        + "You can play its beginning meanwhile.";
      await new Promise((resolve) => { setTimeout(resolve, ONE_LOOK); });
    }
  }

  move(seconds) { byId("playhead-time").textContent = clock(seconds, 3); }

  setPlaying(isPlaying) { byId("play").setAttribute("aria-pressed", String(isPlaying)); }

  /** @returns its position, and whether it was playing */
  end() {
    this.over.abort();
    const { position, player: { isPlaying } } = this;
    this.player.close();
    this.setPlaying(false);
    for (const element of this.idle) element.inert = false;
    byId("preview-note").hidden = true;
    return { position, isPlaying };
  }
}
