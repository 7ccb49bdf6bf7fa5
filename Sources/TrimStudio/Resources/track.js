// One track of a stream: what the browser has of it, and what it gets next.

import { Time } from "./times.js";
import { fetchInTurn } from "./wire.js";

/** What the program makes if packets cannot be passed through. */
export const TYPES = {
  video: 'video/mp4; codecs="avc1.640028"', sound: 'audio/mp4; codecs="flac"',
};
const [LONG, SOON] = [new Time("1"), new Time("1/4")]; // s per request
const LEAD = 10; // s by which copied packets are late, so that none has a negative time
const AHEAD = new Time("6"); // s to fetch ahead
const RESTING = new Time("2"); // s to fetch ahead if re-encoded and paused: the engine also decodes stills
const KEPT = { video: 64 << 20, sound: 6 << 20 }; // bytes: browsers silently drop what exceeds them
const TICK = 0.001; // s; tolerance for a browser's times

/** How much is requested: little at first if pictures must be re-encoded while waiting, then more. */
export function stretch(kind, manner, before) {
  if (kind !== "video" || manner !== "made") return LONG;
  const twice = before?.to.minus(before.from).times(2) ?? SOON;
  return twice.compare(LONG) < 0 ? twice : LONG;
}

/** Thrown for packets that cannot be passed through. */
export class NotCopied extends Error {}

/** @returns the segment with the range it covers; without bytes if there is nothing there */
export async function fetchSegment(address, { from, to }, signal) {
  const response = await fetchInTurn(address, { signal });
  if (response.status === 204) return { from, to };
  if (response.status === 406) return { from, to, isRefused: true };
  if (response.status !== 200) return { from, to, failure: (await response.text()).trim() };
  return {
    from: new Time(response.headers.get("X-From")), to: new Time(response.headers.get("X-To")),
    type: response.headers.get("Content-Type"), start: response.headers.get("X-Start"), bytes: await response.arrayBuffer(),
  };
}

export class Track {
  /** @param first the segment to play first, or one already being fetched */
  constructor(stream, { kind, manner, first }) {
    Object.assign(this, { stream, kind, manner, first });
    this.parts = []; // what the browser has, in no order
    this.failures = 0;
    this.buffer = stream.source.addSourceBuffer(manner === "copied" ? first.type : TYPES[kind]);
    if (manner === "made") return;
    if (!first.start) this.buffer.timestampOffset = -LEAD;
    // The encoder's padding in its last packet is not played.
    if (kind === "sound") this.buffer.appendWindowEnd = stream.end.seconds;
  }

  async fill() {
    if (this.isBusy) return;
    this.isBusy = true;
    const { stream } = this;
    try {
      const { first } = this;
      this.first = null;
      if (first) await this.add(await first);
      for (let next = this.next; next && !stream.isClosed; next = this.next) {
        const before = this.parts.find(({ to }) => to.equals(next));
        await this.add(await stream.fetch(this.kind, this.manner, next, before));
      }
      stream.endWhereComplete();
    } catch (error) {
      stream.fail(error);
    } finally {
      this.isBusy = false;
    }
  }

  get isComplete() { return !this.buffer.updating && !this.missing(this.stream.place, this.stream.end); }

  /** The start of the segment needed next; null if none is. */
  get next() {
    const { place, end, video } = this.stream;
    const ahead = place.plus(this.manner === "made" && video.paused ? RESTING : AHEAD);
    return this.missing(place, ahead.compare(end) < 0 ? ahead : end);
  }

  /** The first instant of a range that the browser does not have; null for none. */
  missing(from, end) {
    let at = from;
    while (at.compare(end) < 0) {
      const part = this.parts.find(({ from, to }) => from.compare(at) <= 0 && at.compare(to) < 0);
      if (!part) return at;
      if (this.isLost(part, at)) {
        this.parts = this.parts.filter((other) => other !== part);
        return at;
      }
      at = part.to;
    }
    return null;
  }

  /** Whether a browser has dropped data it was given, which is then sent again. */
  isLost(part, at) {
    if (!part.size || part.wasLost) return false;
    const { buffered } = this.buffer;
    const place = Math.max(at.seconds, part.from.seconds) + TICK;
    for (let i = 0; i < buffered.length; i += 1)
      if (buffered.start(i) <= place + 1 && place <= buffered.end(i) + 2 * TICK) return false;
    return part.wasLost = true;
  }

  async add({ from, to, bytes, start, isRefused, failure }) {
    if (isRefused) throw new NotCopied(this.kind);
    if (failure) {
      // Damaged parts are skipped; after six failures in a row, it cannot be played.
      this.failures += 1;
      if (this.failures > 5) throw new Error(failure);
    } else if (bytes) {
      await this.append(bytes, start);
      this.failures = 0;
    }
    this.parts.push({ from, to, size: bytes?.byteLength ?? 0 });
    if (this.size > KEPT[this.kind]) await this.forget(KEPT[this.kind] / 2);
  }

  get size() { return this.parts.reduce((sum, part) => sum + part.size, 0); }

  /** @param start when the first packet is heard, for formats without timestamps */
  async append(bytes, start) {
    const work = (buffer) => {
      if (start) buffer.timestampOffset = new Time(start).seconds;
      buffer.appendBuffer(bytes);
    };
    try {
      await this.change(work);
    } catch (error) {
      if (error.name !== "QuotaExceededError") throw error;
      await this.forget(0);
      await this.change(work);
    }
  }

  /** Drops what is farthest from the playback position, and never what is played next. */
  async forget(left) {
    const place = this.stream.place.seconds;
    const distance = ({ from, to }) => Math.max(from.seconds - place - AHEAD.seconds, place - to.seconds);
    const far = this.parts.filter((part) => distance(part) > 0)
      .sort((one, other) => distance(other) - distance(one));
    for (const part of far) {
      if (this.size <= left) return;
      this.parts = this.parts.filter((other) => other !== part);
      const end = part.to.seconds - TICK;
      if (end > part.from.seconds) await this.change((buffer) => buffer.remove(part.from.seconds, end));
    }
  }

  change(work) {
    const { buffer } = this;
    return new Promise((resolve, reject) => {
      const finish = (event) => {
        buffer.removeEventListener("updateend", finish);
        buffer.removeEventListener("error", finish);
        event.type === "error" ? reject(new Error("The preview cannot be played.")) : resolve();
      };
      buffer.addEventListener("updateend", finish);
      buffer.addEventListener("error", finish);
      try {
        work(buffer);
      } catch (error) {
        buffer.removeEventListener("updateend", finish);
        buffer.removeEventListener("error", finish);
        reject(error);
      }
    });
  }
}
