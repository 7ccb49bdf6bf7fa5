// Times are exact fractions of seconds, as text such as "121/2": integers here, never floats.
// Floats are only for screen positions and for the browser's player.

export class Time {
  constructor(text) {
    const [numerator, denominator] = String(text).split("/");
    this.n = BigInt(numerator);
    this.d = BigInt(denominator ?? "1");
  }

  static of(n, d) {
    if (d < 0n) [n, d] = [-n, -d];
    let [a, b] = [n < 0n ? -n : n, d];
    while (b) [a, b] = [b, a % b];
    const time = Object.create(Time.prototype);
    time.n = n / (a || 1n);
    time.d = d / (a || 1n);
    return time;
  }

  toString() { return this.d === 1n ? `${this.n}` : `${this.n}/${this.d}`; }
  get seconds() { return Number(this.n) / Number(this.d); }
  compare(other) {
    const [a, b] = [this.n * other.d, other.n * this.d];
    return a < b ? -1 : a > b ? 1 : 0;
  }
  equals(other) { return this.compare(other) === 0; }
  plus(other) { return Time.of(this.n * other.d + other.n * this.d, this.d * other.d); }
  minus(other) { return Time.of(this.n * other.d - other.n * this.d, this.d * other.d); }
  times(n, d = 1n) { return Time.of(this.n * BigInt(n), this.d * BigInt(d)); }

  /** A screen position as a time, to the microsecond. */
  static near(seconds) { return Time.of(BigInt(Math.round(seconds * 1e6)), 1000000n); }
}

export const zero = new Time("0");

/** When each frame is shown. */
export class Frames {
  constructor(wire) {
    if (wire.times) {
      this.list = wire.times.map((text) => new Time(text));
      this.count = this.list.length;
      return;
    }
    this.first = new Time(wire.first);
    this.tick = new Time(wire.steps ? wire.tick : wire.length);
    this.runs = new Runs(wire.steps ?? (wire.count ? [1, wire.count - 1] : []));
    this.count = wire.steps ? this.runs.count : wire.count;
  }

  /** The start of a frame, or the end of the video after the last one. */
  start(index) {
    return this.list ? this.list[index] : this.first.plus(this.tick.times(this.runs.tick(index)));
  }

  /** The start of a frame as a screen position. */
  place(index) {
    if (this.list) return this.list[index].seconds;
    return this.first.seconds + this.runs.tick(index) * this.tick.seconds;
  }

  /** The frame on screen at an instant; -1 before the first. */
  at(time) {
    if (this.list) return last(this.count, (index) => this.list[index].compare(time) <= 0);
    const { n, d } = time.minus(this.first);
    // Integers throughout: ticks elapsed by then.
    return n < 0n || !this.count ? -1 : this.runs.at(Number(n * this.tick.d / (d * this.tick.n)));
  }

  /** The frame that begins nearest to a float from the browser. */
  nearest(seconds) {
    const index = Math.max(0, this.at(Time.near(seconds)));
    const next = Math.min(index + 1, this.count - 1);
    const distance = (i) => Math.abs(this.place(i) - seconds);
    return distance(next) < distance(index) ? next : index;
  }

  /** Half a frame after its start: the seek target for a player to show this frame. */
  middle(index, end) {
    const start = this.start(index);
    const next = index + 1 < this.count ? this.start(index + 1) : end;
    return start.plus(next.minus(start).times(1, 2));
  }
}

/** The distance of each frame from the first, in ticks, as runs of frames with equal duration. */
class Runs {
  /** @param steps pairs: the duration of frames in a run, and their number; integers below 2^53 */
  constructor(steps) {
    const size = steps.length / 2;
    Object.assign(this, { frames: new Float64Array(size), ticks: new Float64Array(size), steps });
    let [frame, tick] = [0, 0];
    for (let run = 0; run < size; run += 1) {
      this.frames[run] = frame;
      this.ticks[run] = tick;
      frame += steps[2 * run + 1];
      tick += steps[2 * run] * steps[2 * run + 1];
    }
    this.count = frame + 1;
  }

  tick(index) {
    const run = last(this.frames.length, (run) => this.frames[run] <= index);
    return run < 0 ? 0 : this.ticks[run] + (index - this.frames[run]) * this.steps[2 * run];
  }

  /** The last frame that begins at a tick or before. */
  at(tick) {
    const run = last(this.ticks.length, (run) => this.ticks[run] <= tick);
    if (run < 0) return 0;
    const [step, most] = [this.steps[2 * run], this.steps[2 * run + 1]];
    const passed = step ? Math.floor((tick - this.ticks[run]) / step) : most;
    return this.frames[run] + Math.min(passed, most);
  }
}

/** The last index for which the condition holds, as it does for all before it; -1 for none. */
function last(count, holds) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A float as human-readable `0:00:01.5`; never sent anywhere. */
export function clock(seconds, places = 1) {
  const scale = 10 ** places;
  const ticks = Math.max(0, Math.round(seconds * scale));
  const whole = Math.floor(ticks / scale);
  const part = places ? "." + String(ticks % scale).padStart(places, "0") : "";
  const two = (n) => String(n).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}${part}`;
}
