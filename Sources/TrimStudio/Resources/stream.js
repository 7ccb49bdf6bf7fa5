// Plays what a browser cannot play itself: the program makes stretches of pictures and of sound that
// every browser plays, and they are appended as they are needed.

import { zero, Time } from "./times.js";

const TYPES = {
  video: 'video/mp4; codecs="avc1.640028"', sound: 'audio/mp4; codecs="flac"',
};
const LENGTH = 1; // seconds of a stretch
const AHEAD = 6; // stretches that are fetched before they are needed
const KEPT = 90; // stretches that are kept of each

export class Stream {
  static isPossible(kinds) {
    return "MediaSource" in window && kinds.every((kind) => MediaSource.isTypeSupported(TYPES[kind]));
  }

  /** @param end of the video, exact */
  constructor(video, file, { kinds, end, onFailure }) {
    Object.assign(this, { video, file, end, onFailure });
    this.count = Math.max(1, Math.ceil(end.seconds / LENGTH));
    this.failures = 0;
    this.source = new MediaSource();
    this.source.addEventListener("sourceopen", () => this.begin(kinds), { once: true });
    this.stop = new AbortController();
    for (const name of ["seeking", "timeupdate", "waiting"])
      video.addEventListener(name, () => this.fill(), { signal: this.stop.signal });
    this.address = URL.createObjectURL(this.source);
    video.src = this.address;
  }

  close() {
    this.stop.abort();
    URL.revokeObjectURL(this.address);
  }

  begin(kinds) {
    this.source.duration = this.end.seconds;
    this.tracks = kinds.map((kind) => ({
      kind, buffer: this.source.addSourceBuffer(TYPES[kind]), have: new Set(), isBusy: false,
    }));
    this.fill();
  }

  get isClosed() { return this.stop.signal.aborted; }

  fill() { for (const track of this.tracks ?? []) this.fillTrack(track); }

  async fillTrack(track) {
    if (track.isBusy) return;
    track.isBusy = true;
    try {
      for (let next = this.next(track); next !== null && !this.isClosed; next = this.next(track))
        await this.add(track, next);
      this.endWhereComplete();
    } catch (error) {
      // Without an answer it is tried again with the next event of the player.
      if (!this.isClosed && !(error instanceof TypeError)) this.onFailure(error);
    } finally {
      track.isBusy = false;
    }
  }

  get place() {
    return Math.min(this.count - 1, Math.max(0, Math.floor(this.video.currentTime / LENGTH)));
  }

  /** The stretch that is needed first, of those that are missing. */
  next(track) {
    const { place } = this;
    for (let number = place; number < Math.min(this.count, place + AHEAD); number += 1)
      if (!track.have.has(number)) return number;
    return null;
  }

  async add(track, number) {
    const from = zero.plus(Time.of(BigInt(number * LENGTH), 1n));
    const behind = Time.of(BigInt((number + 1) * LENGTH), 1n);
    const to = behind.compare(this.end) < 0 ? behind : this.end;
    const response = await fetch(this.file.segment(track.kind, from, to), { signal: this.stop.signal });
    if (response.status === 200) {
      const bytes = await response.arrayBuffer();
      await this.append(track, bytes);
      this.failures = 0;
    } else if (response.status !== 204) {
      // What is damaged is passed over; where nothing comes at all, it cannot be played.
      this.failures += 1;
      if (this.failures > 5) throw new Error(await response.text());
    }
    track.have.add(number);
    if (track.have.size > KEPT) await this.forget(track, KEPT / 2);
  }

  async append(track, bytes) {
    try {
      await this.change(track, (buffer) => buffer.appendBuffer(bytes));
    } catch (error) {
      if (error.name !== "QuotaExceededError") throw error;
      await this.forget(track, AHEAD);
      await this.change(track, (buffer) => buffer.appendBuffer(bytes));
    }
  }

  /** Drops the stretches that are farthest from what is played. */
  async forget(track, left) {
    const { place } = this;
    const far = [...track.have].filter((number) => Math.abs(number - place) > left / 2);
    for (const number of far) {
      await this.change(track, (buffer) => buffer.remove(number * LENGTH, (number + 1) * LENGTH));
      track.have.delete(number);
    }
  }

  change({ buffer }, work) {
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

  /** So that the player ends where the video does. */
  endWhereComplete() {
    if (this.isClosed || this.source.readyState !== "open") return;
    const isComplete = ({ have, buffer }) => have.has(this.count - 1) && !buffer.updating;
    if (this.tracks.every(isComplete)) this.source.endOfStream();
  }
}
