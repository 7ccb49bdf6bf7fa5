// Shows the right frame: the browser's players for motion and audio, the engine's own still on pause.

import { Deck, isDecoded, isPlayed } from "./deck.js";
import { Time, zero } from "./times.js";
import { fetchInTurn } from "./wire.js";

const TICK = 1e-5; // s; what a browser's times are rounded to
const ONE_REPORT = 90; // ms between two reports of the playback position
const FIRST = 1000; // ms for a browser to show the first frame of a file that it has loaded
const REST = 400; // ms without a new request, during which the engine has the processor to itself

export class Player {
  constructor({ videos, still, screen }, file, hooks) {
    Object.assign(this, { still, screen, file, hooks });
    this.isPlaying = false;
    this.shift = 0; // the browser's time at 0 on this timeline
    this.wanted = -1; // the frame to show
    this.shown = -1; // the frame that the browser has confirmed
    this.rate = 1;
    this.loadStill = newest((wish) => this.fetchStill(wish));
    this.deck = new Deck(videos, (mediaTime) => this.see(mediaTime));
  }

  /** @param isWritten whether there is a file, from which the engine makes pictures and a stream */
  open({ facts, frames, bounds, media, isWritten = true }) {
    Object.assign(this, { facts, frames, bounds, media, isWritten });
    this.screen.style.setProperty("--shape", facts.shape ? new Time(facts.shape).seconds : 16 / 9);
    // Nothing of a file before is shown.
    this.time = this.followed = null;
    this.asked = NaN; // no place
    this.shown = this.wanted = -1;
    this.still.hidden = true;
    delete this.still.dataset.frame;
    this.openAgain();
  }

  /** From the beginning, as another audio track may be wanted, which only a stream delivers. */
  openAgain() {
    this.isStream = this.isPictures = false;
    this.isCalibrated = !this.frames.count;
    const isOther = (this.file.heard ?? null) !== null;
    if (!isOther && isPlayed(this.deck.front, { facts: this.facts, media: this.media })) this.playFile();
    else this.playStream();
  }

  /** The browser plays the file itself. */
  playFile() {
    this.deck.openFile(this.file.media, {
      onFailure: () => this.playStream(),
      onReady: () => {
        if (this.facts.shape && !this.deck.front.videoWidth) return this.playStream();
        this.hooks.onReady?.();
        this.awaitFrame();
      },
    });
  }

  /** A browser that is busy may never report the first frame that it shows: it is asked to show it again. */
  awaitFrame() {
    setTimeout(() => {
      if (this.isClosed || this.isCalibrated || this.isPictures) return;
      if (!this.isPlaying && this.deck.isStill) this.deck.seek(this.deck.position);
      this.awaitFrame();
    }, FIRST);
  }

  /** The browser cannot play this file: the program converts it to a format that all browsers play. */
  playStream() {
    const kinds = [...this.facts.shape ? ["video"] : [], ...this.facts.has_sound ? ["sound"] : []];
    if (!this.isWritten || this.isStream || !kinds.length) return this.giveUp();
    this.isStream = true;
    // It uses the program's times.
    this.shift = 0;
    this.isCalibrated = true;
    this.screen.dataset.player = "stream";
    const { facts } = this;
    this.streamed = import("./stream.js").then((streaming) => {
      if (this.isClosed || this.facts !== facts) return;
      if (!streaming.Stream.isPossible(kinds)) return this.giveUp();
      const decoded = isDecoded(this.deck.front, this.facts);
      // What the browser decodes is known for the first track only.
      if ((this.file.heard ?? null) !== null) decoded.sound = false;
      const made = kinds.filter((kind) => !decoded[kind]).map((kind) => [kind, "made"]);
      this.openStream(streaming, kinds, Object.fromEntries(made));
    }, () => this.giveUp());
  }

  /** @param manners how each kind is delivered, if known */
  openStream(streaming, kinds, manners) {
    const { Stream, NotCopied } = streaming;
    const onManner = () => {
      this.screen.dataset.manner = kinds.map((kind) => manners[kind] ?? "unknown").join(" ");
      this.hooks.onStream(manners);
    };
    // What cannot be passed through, or cannot be decoded, is re-encoded.
    const onFailure = (error) => {
      const copied = kinds.filter((kind) => manners[kind] === "copied");
      const failed = error instanceof NotCopied ? [error.message] : copied;
      if (this.isPictures || !failed.length) return this.giveUp();
      this.openStream(streaming, kinds, { ...manners, ...Object.fromEntries(failed.map((kind) => [kind, "made"])) });
    };
    const position = this.isPlaying ? this.position : null;
    this.deck.open((video) => {
      const stream = new Stream(
        video, this.file, { kinds, end: this.bounds.end, manners, onManner, onFailure });
      return () => stream.close();
    }, { onFailure, onReady: () => this.hooks.onReady?.() });
    onManner();
    if (position === null) return this.showAgain();
    this.deck.seek(position);
    this.deck.play().catch(() => {});
  }

  /** Nothing plays: the engine's pictures are shown instead. */
  giveUp() {
    if (this.isPictures) return;
    this.isPictures = true;
    this.screen.dataset.player = "engine";
    this.deck.close();
    this.hooks.onPictures();
    this.showAgain();
  }

  close() {
    this.isClosed = true;
    this.pause();
    this.deck.end();
    this.laid?.drop();
  }

  /** The source being played has changed: seek it to the current position. */
  showAgain() {
    this.followed = null;
    if (this.time) this.follow(this.time);
  }

  /** Called when the browser shows a frame. */
  see(mediaTime) {
    // The browser may have begun with a file that is not the one to show.
    if (!this.frames) return;
    // Firefox reports the seek target, the middle of a frame, which does not reveal what it shows:
    // the engine's picture stays on top.
    if (!this.isPlaying && Math.abs(mediaTime - this.asked) < TICK) return;
    const isFirst = !this.isCalibrated;
    if (isFirst) {
      // The first frame that a browser shows is frame 0, whatever time it reports.
      this.shift = mediaTime - this.frames.start(0).seconds;
      this.isCalibrated = true;
      this.screen.dataset.player = "browser";
    }
    // A segment may begin within a frame, which is then the one on screen.
    this.shown = this.isStream ? this.frames.at(Time.near(mediaTime + TICK))
      : this.frames.nearest(mediaTime - this.shift);
    this.screen.dataset.shown = this.shown;
    if (isFirst) this.showAgain();
    // The picture beneath is right: remove one on top that is not.
    if (this.shown === this.wanted && Number(this.still.dataset.frame) !== this.wanted)
      this.still.hidden = true;
  }

  // Paused

  /** Shows the frame at an instant. */
  show(time) {
    if (this.time?.equals(time) && !this.isPlaying) return;
    this.time = time;
    if (this.isPlaying) return;
    this.wanted = this.frames.count ? Math.max(0, this.frames.at(time)) : -1;
    if (!this.facts.shape || !this.isWritten) return this.follow(time);
    this.loadStill(time);
    setTimeout(() => this.follow(time), REST);
  }

  /** Seeks the browser's player, beneath the engine's picture, to the same frame. */
  follow(time) {
    if (this.isPictures || !this.isCalibrated || this.isPlaying) return;
    if (this.time !== time || this.followed === time) return;
    this.followed = time;
    if (this.shown === this.wanted && this.deck.isStill) return;
    this.asked = this.place(time);
    this.deck.seek(this.asked);
  }

  /** The seek target for a browser's player to show the frame at an instant. */
  place(time) {
    const index = this.frames.count ? Math.max(0, this.frames.at(time)) : -1;
    const place = index < 0 ? time : this.frames.middle(index, this.bounds.end);
    return place.seconds + this.shift;
  }

  async fetchStill(time) {
    const scale = Math.min(2, devicePixelRatio || 1);
    const side = (length) => Math.min(1920, Math.max(64, Math.ceil(length * scale / 2) * 2));
    const made = await picture(this.file.still(
      time, side(this.screen.clientWidth), side(this.screen.clientHeight)));
    if (!made || this.isPlaying || this.time !== time) made?.drop();
    else this.lay(made);
  }

  /** Shows a picture from the engine over what the browser shows. */
  lay(made) {
    this.laid?.drop();
    this.laid = made;
    this.still.src = made.url;
    this.still.dataset.frame = made.frame;
    this.still.hidden = false;
  }

  // Playing

  /** Plays from an instant; the presenter decides where it ends. */
  async play(time, range) {
    this.range = range;
    if (this.isPlaying) return this.prepare();
    this.isPlaying = true;
    this.time = time;
    this.begin(time.seconds);
    if (!this.isPictures) {
      this.deck.seek(this.place(time));
      try {
        await this.streamed;
        await this.deck.play();
      } catch (error) {
        this.isPlaying = false;
        return this.hooks.onRefused(error);
      }
      if (!this.isPlaying) return this.deck.pause();
      this.still.hidden = true;
      this.prepare();
    }
    this.reported = 0;
    this.step();
  }

  prepare() {
    if (!this.isPictures) this.deck.prepare(this.place(this.range.start));
  }

  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.isEnding = false;
    this.time = null;
    this.deck.pause();
  }

  begin(seconds) { this.began = { at: performance.now(), seconds }; }

  setRate(rate) {
    this.begin(this.position);
    this.rate = rate;
    this.deck.setRate(rate);
  }

  /** The playback position, for display. */
  get position() {
    if (!this.isPlaying) return this.time?.seconds ?? 0;
    if (!this.isPictures) return this.deck.position - this.shift;
    return this.began.seconds + (performance.now() - this.began.at) / 1000 * this.rate;
  }

  step() {
    if (!this.isPlaying) return;
    requestAnimationFrame(() => this.step());
    const { position } = this;
    if (!this.isPictures) this.deck.roll((this.range.end.seconds - position) / this.rate);
    this.hooks.onPosition(Math.min(position, this.range.end.seconds));
    if (this.isEnding) return;
    // A file may end slightly before the end stated by its container.
    if (position >= this.range.end.seconds || !this.isPictures && this.deck.isOver) {
      this.isEnding = true;
      return this.hooks.onReport(this.range.end);
    }
    if (performance.now() - this.reported < ONE_REPORT) return;
    this.reported = performance.now();
    const time = this.exact(position);
    if (this.isPictures && this.facts.shape) this.loadMoving(time);
    this.hooks.onReport(time);
  }

  /** The frame on screen, in the engine's numbering. */
  exact(seconds) {
    const near = Time.near(Math.max(0, seconds));
    if (!this.frames.count) return near;
    const start = this.frames.start(Math.max(0, this.frames.at(near)));
    return start.compare(this.range.start) < 0 ? this.range.start : start;
  }

  async loadMoving(time) {
    if (this.isLoading) return;
    this.isLoading = true;
    const { file } = this;
    const made = await picture(file.still(time, 640, 640));
    // Another file may be shown by now.
    if (made && this.file === file) this.lay(made);
    else made?.drop();
    this.isLoading = false;
  }

  /** The presenter has moved the playhead: back to the start, or to a touch position. */
  jump(time) {
    this.isEnding = false;
    if (!this.isPlaying) return this.show(time);
    this.time = time;
    this.begin(time.seconds);
    if (!this.isPictures) this.deck.jump(this.place(time)).catch(() => {});
  }
}

/** Plays from start to end in a loop, without a session in control. */
export class Solo {
  report(time) {
    this.position = time;
    // At the end it starts over.
    if (time.compare(this.bounds.end) < 0) return;
    this.position = zero;
    this.player.jump(zero);
  }

  playOrPause() {
    const { player } = this;
    if (!player) return;
    if (player.isPlaying) {
      player.pause();
      player.show(this.position);
    } else {
      player.play(this.position, this.bounds);
    }
    this.setPlaying(player.isPlaying);
  }
}

/** A decoded picture from the engine, with the frame number it states. */
async function picture(address) {
  try {
    const response = await fetchInTurn(address);
    if (!response.ok) return null;
    const url = URL.createObjectURL(await response.blob());
    const image = new Image();
    image.src = url;
    await image.decode();
    return {
      url, frame: Number(response.headers.get("X-Frame")), drop: () => URL.revokeObjectURL(url),
    };
  } catch {
    return null;
  }
}

/** Performs the newest request; superseded ones are never started. */
export function newest(work) {
  let waiting, isBusy = false;
  return async function ask(wish) {
    waiting = { wish };
    if (isBusy) return;
    isBusy = true;
    while (waiting) {
      const { wish } = waiting;
      waiting = null;
      await work(wish);
    }
    isBusy = false;
  };
}
