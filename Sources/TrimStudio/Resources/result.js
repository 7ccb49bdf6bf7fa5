// Previews the result of a cut before it is written: the browser plays exactly the bytes that an export
// would write; a file is made only if it cannot.

import { Player, Solo } from "./player.js";
import { Frames, Time, clock, zero } from "./times.js";

const byId = (id) => document.getElementById(id);

export class Result extends Solo {
  constructor(file) {
    super();
    this.file = file;
    this.dialog = byId("result");
    byId("result-close").addEventListener("click", () => this.dialog.close());
    byId("result-play").addEventListener("click", () => this.playOrPause());
    byId("result-seam").addEventListener("click", () => this.toNextSeam());
    byId("result-place").addEventListener("input", ({ target }) => this.goTo(Time.near(Number(target.value))));
    this.dialog.addEventListener("close", () => {
      this.end();
      this.file.endPreview();
    });
    this.dialog.addEventListener("keydown", (event) => {
      const work = { " ": () => this.playOrPause(), k: () => this.player?.pause(), n: () => this.toNextSeam() }[event.key];
      if (!work || event.target.matches("button") && event.key === " ") return;
      event.preventDefault();
      work();
    });
  }

  /** @throws a refusal as a sentence */
  async open() {
    this.say("Making the result…");
    this.dialog.showModal();
    this.setReady(false);
    let made;
    try {
      made = await this.file.preview();
    } catch (error) {
      return this.say(error.message);
    }
    if (!this.dialog.open) return;
    this.show(made);
  }

  /** The browser cannot play it directly: a file is made, and a preview of that. */
  async openWritten() {
    this.end();
    this.say("Your browser cannot play this result, so a preview is being encoded…");
    this.setReady(false);
    try {
      const made = await this.file.preview({ is_written: true });
      if (this.dialog.open) this.show(made);
    } catch (error) {
      this.say(error.message);
    }
  }

  say(text) { byId("result-text").textContent = text; }

  setReady(isReady) {
    for (const id of ["result-play", "result-seam", "result-place"]) byId(id).disabled = !isReady;
  }

  show({ facts, frames, bounds, seams, media, file, is_written: isWritten, sentence }) {
    this.end();
    this.bounds = { start: new Time(bounds.start), end: new Time(bounds.end) };
    this.seams = seams.map((text) => new Time(text));
    this.position = zero;
    const videos = [byId("result-video"), byId("result-spare")];
    this.player = new Player(
      { videos, still: byId("result-still"), screen: byId("result-screen") }, file, {
        onPosition: (seconds) => this.move(seconds), onReport: (time) => this.report(time),
        onPictures: () => { if (!isWritten) this.openWritten(); }, onStream: () => {}, onRefused: () => this.setPlaying(false),
      });
    this.player.range = this.bounds;
    this.player.open({ facts, frames: new Frames(frames), bounds: this.bounds, media, isWritten });
    // It may fail to play.
    if (!this.player) return;
    this.player.show(zero);
    this.setReady(true);
    byId("result-seam").hidden = !seams.length;
    byId("result-place").max = this.bounds.end.seconds;
    byId("result-seams").replaceChildren(...this.seams.map((seam) => {
      const mark = document.createElement("option");
      mark.value = seam.seconds;
      return mark;
    }));
    const count = seams.length;
    this.say(`${facts.summary} · ${sentence}`
      + (count ? ` · ${count} ${count === 1 ? "seam" : "seams"} between re-encoded and copied frames` : ""));
    this.move(0);
    byId("result-play").focus();
  }

  move(seconds) {
    byId("result-place").value = seconds;
    byId("result-time").textContent = clock(seconds, 3);
  }

  goTo(time) {
    this.position = time;
    this.player?.jump(time);
    this.move(time.seconds);
  }

  setPlaying(isPlaying) {
    byId("result-play").setAttribute("aria-pressed", String(isPlaying));
    byId("result-play").textContent = isPlaying ? "Pause" : "Play";
  }

  /** Goes to half a second before the next seam, so that it can be seen and heard. */
  toNextSeam() {
    if (!this.seams?.length) return;
    const lead = new Time("1/2");
    const next = this.seams.find((seam) => seam.minus(lead).compare(this.position) > 0) ?? this.seams[0];
    const start = next.minus(lead);
    this.goTo(start.compare(zero) < 0 ? zero : start);
  }

  end() {
    this.player?.close();
    this.player = null;
    this.setPlaying(false);
  }
}
