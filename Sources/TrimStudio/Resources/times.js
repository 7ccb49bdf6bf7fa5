// Times are exact fractions of seconds, as text such as "121/2": whole numbers here, never floats.
// Floats are for places on the screen and for the browser's player alone.

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

  /** A place on the screen as a time, to the microsecond. */
  static near(seconds) { return Time.of(BigInt(Math.round(seconds * 1e6)), 1000000n); }
}

export const zero = new Time("0");

/** When each frame is shown. */
export class Frames {
  constructor(wire) {
    if (wire.times) {
      this.list = wire.times.map((text) => new Time(text));
      this.count = this.list.length;
    } else if (wire.steps) {
      this.first = new Time(wire.first);
      this.tick = new Time(wire.tick);
      this.ticks = ticks(wire.steps);
      this.count = this.ticks.length;
    } else {
      this.first = new Time(wire.first);
      this.length = new Time(wire.length);
      this.count = wire.count;
    }
  }

  /** The beginning of a frame, or the end of the video behind the last. */
  start(index) {
    if (this.list) return this.list[index];
    return this.first.plus(this.ticks ? this.tick.times(this.ticks[index]) : this.length.times(index));
  }

  /** The frame on screen at an instant; -1 before the first. */
  at(time) {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.start(middle).compare(time) > 0) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }

  /** The frame that begins nearest to a float of the browser's. */
  nearest(seconds) {
    const index = Math.max(0, this.at(Time.near(seconds)));
    const next = Math.min(index + 1, this.count - 1);
    const distance = (i) => Math.abs(this.start(i).seconds - seconds);
    return distance(next) < distance(index) ? next : index;
  }

  /** Half a frame behind its beginning: what a player must be asked for to show this frame. */
  middle(index, end) {
    const start = this.start(index);
    const next = index + 1 < this.count ? this.start(index + 1) : end;
    return start.plus(next.minus(start).times(1, 2));
  }
}

/** How far each frame is from the first, in ticks: whole numbers below 2^53. */
function ticks(steps) {
  let count = 1;
  for (let pair = 0; pair < steps.length; pair += 2) count += steps[pair + 1];
  const found = new Float64Array(count);
  let index = 0;
  for (let pair = 0; pair < steps.length; pair += 2)
    for (const end = index + steps[pair + 1]; index < end; index += 1)
      found[index + 1] = found[index] + steps[pair];
  return found;
}

/** `0:00:01.5` for people, of a float; never sent anywhere. */
export function clock(seconds, places = 1) {
  const scale = 10 ** places;
  const ticks = Math.max(0, Math.round(seconds * scale));
  const whole = Math.floor(ticks / scale);
  const part = places ? "." + String(ticks % scale).padStart(places, "0") : "";
  const two = (n) => String(n).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}${part}`;
}
