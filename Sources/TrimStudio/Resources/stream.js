// Plays what a browser cannot open itself: the program passes on the packets of tracks that the browser
// can decode, and re-encodes others to what all browsers play. Segments are appended as needed.

import { Time, zero } from "./times.js";
import { Track, TYPES, fetchSegment, stretch } from "./track.js";

export { NotCopied } from "./track.js";

const LENGTH = 1; // seconds between two possible start positions

export class Stream {
  static isPossible(kinds) {
    return "MediaSource" in window && kinds.every((kind) => MediaSource.isTypeSupported(TYPES[kind]));
  }

  /**
   * @param end of the video, exact
   * @param manners how each kind is delivered, once known: "copied" or "made"
   */
  constructor(video, file, { kinds, end, manners, onManner, onFailure }) {
    Object.assign(this, { video, file, end, manners, onManner, onFailure });
    this.source = new MediaSource();
    this.stop = new AbortController();
    this.source.addEventListener("sourceopen", () => this.begin(kinds).catch((error) => this.fail(error)),
      { once: true });
    for (const name of ["play", "seeking", "timeupdate", "waiting"])
      video.addEventListener(name, () => this.fill(), { signal: this.stop.signal });
    this.address = URL.createObjectURL(this.source);
    video.src = this.address;
  }

  close() {
    this.stop.abort();
    URL.revokeObjectURL(this.address);
  }

  get isClosed() { return this.stop.signal.aborted; }

  async begin(kinds) {
    this.source.duration = this.end.seconds;
    const begun = await Promise.all(kinds.map((kind) => this.choose(kind)));
    if (this.isClosed) return;
    this.tracks = begun.map((chosen) => new Track(this, chosen));
    this.fill();
  }

  /** The file's own packets, if this browser can play any. */
  async choose(kind) {
    if (this.manners[kind] !== "made") {
      const first = await this.fetch(kind, "copied", this.place);
      const isPlayed = first.bytes && MediaSource.isTypeSupported(first.type);
      this.manners[kind] = isPlayed ? "copied" : "made";
      this.onManner?.();
      if (isPlayed) return { kind, manner: "copied", first };
    }
    // It is created while the others are still being chosen.
    const first = this.fetch(kind, "made", this.place);
    first.catch(() => {});
    return { kind, manner: "made", first };
  }

  /** The segment at an instant. @param before the segment it follows */
  fetch(kind, manner, from, before) {
    const behind = from.plus(stretch(kind, manner, before));
    const to = behind.compare(this.end) < 0 ? behind : this.end;
    return fetchSegment(this.file.segment(kind, manner, from, to), { from, to }, this.stop.signal);
  }

  fill() { for (const track of this.tracks ?? []) track.fill(); }

  fail(error) {
    // Without a response it is retried on the player's next event.
    if (!this.isClosed && !(error instanceof TypeError)) this.onFailure(error);
  }

  /** The start of the second being played. */
  get place() {
    const last = Math.max(0, Math.ceil(this.end.seconds / LENGTH) - 1);
    const place = Math.min(last, Math.max(0, Math.floor(this.video.currentTime / LENGTH)));
    return place ? Time.of(BigInt(place * LENGTH), 1n) : zero;
  }

  /** Makes the player end where the video does. */
  endWhereComplete() {
    if (this.isClosed || this.source.readyState !== "open") return;
    if (this.tracks.every((track) => track.isComplete)) this.source.endOfStream();
  }
}
