// What goes between this page and the program.

/** This page's own name: of several pages that show a file, one plays. */
export const page = crypto.getRandomValues(new Uint32Array(2)).join("-");

export class Refusal extends Error {}

async function answered(response) {
  if (response.ok) return response;
  throw Object.assign(new Refusal((await response.text()).trim()), { status: response.status });
}

async function post(path, value) {
  return answered(await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value),
  }));
}

/**
 * Lets this browser in with the token of the address, which is then forgotten.
 *
 * @returns what this page is about, where that is known by now
 */
export async function enter() {
  const token = location.hash.slice(1);
  if (!token) return null;
  history.replaceState(null, "", location.pathname);
  const response = await post("/session", { token });
  return response.status === 204 ? null : response.json();
}

const json = async (path) => (await answered(await fetch(path))).json();

/** What this page is about. @param file what its address says of a file; null for nothing */
export const arrive = (file) => json(file === null ? "/arrival" : `/arrival?file=${encodeURIComponent(file)}`);
export const list = () => json("/files");
export const quit = () => post("/quit", {});

/** What can be seen and heard of a file, or of a result that has no name yet. */
class Media {
  constructor(base) { this.base = base; }

  get media() { return `${this.base}/media`; }
  still(at, width, height) {
    return `${this.base}/still?at=${at}&width=${width}&height=${height}`;
  }
  segment(kind, manner, from, to) {
    return `${this.base}/segment?kind=${kind}&as=${manner}&from=${from}&to=${to}`;
  }
}

/** One file, as the program has it. */
export class File extends Media {
  constructor(id) {
    super(`/files/${id}`);
    this.last = Promise.resolve();
  }

  /**
   * Makes the cut of what is chosen, to be looked at.
   *
   * @param wish `{ is_written: true }` for a file of it
   */
  async preview(wish = {}) {
    const made = await (await post(`${this.base}/preview`, wish)).json();
    return { ...made, file: new Media(`${this.base}/preview/${made.number}`) };
  }

  endPreview() { return post(`${this.base}/preview/end`, {}).catch(() => {}); }

  /** Inputs arrive in the order in which they were made. */
  input(type, fields = {}) {
    const body = { page, message: { version: 1, input: { type, ...fields } } };
    this.last = this.last.then(() => post(`${this.base}/input`, body)).catch((error) => {
      if (!(error instanceof TypeError)) console.warn(error);
    });
    return this.last;
  }

  /** Opens it, and tells what does not change; refused with a sentence where that cannot be. */
  opening() { return json(`${this.base}/opening`); }
  /** How much of it has been read while it is being opened. */
  reading() { return json(`${this.base}/reading`); }
  /** Its beginning, while it is being opened. */
  get beginning() { return new Media(`${this.base}/look`); }
  text(purpose, text) { return post(`${this.base}/text`, { purpose, text }); }
  result(number) { return `${this.base}/results/${number}`; }
  strip(from, to, count, height) {
    return `${this.base}/strip?from=${from}&to=${to}&count=${count}&height=${height}`;
  }
  levels(from, to, count) {
    return `${this.base}/levels?from=${from}&to=${to}&count=${count}`;
  }

  /** Tells everything from now on; a hidden page gives its connection back, and comes again. */
  listen(hear) {
    let source = null;
    const open = () => {
      if (source || document.hidden) return;
      source = new EventSource(`${this.base}/events?page=${page}`);
      for (const name of ["state", "moment"])
        source.addEventListener(name, (event) => hear(name, JSON.parse(event.data)));
      source.onopen = () => hear("connected");
      source.onerror = () => {
        hear("lost");
        if (source.readyState !== EventSource.CLOSED) return;
        source = null;
        setTimeout(open, 1500);
      };
    };
    const close = () => {
      source?.close();
      source = null;
    };
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) return open();
      if (!this.keepsListening?.()) close();
    });
    addEventListener("pagehide", close);
    addEventListener("pageshow", open);
    open();
  }
}
