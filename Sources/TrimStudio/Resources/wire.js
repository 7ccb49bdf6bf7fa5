// Communication between this page and the program.

/** This page's name: of several pages that show a file, one plays. */
export const page = crypto.getRandomValues(new Uint32Array(2)).join("-");

export class Refusal extends Error {}

const BUSY = 503;
const PIECE = 30_000; // bytes of a list in a request

/** Fetches, again after a while as long as the program is busy. */
export async function fetchInTurn(path, options) {
  for (let turn = 0; ; turn++) {
    const response = await fetch(path, options);
    if (response.status !== BUSY || turn === 5) return response;
    const seconds = Number(response.headers.get("Retry-After")) || 1;
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

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
 * Admits this browser with the token in the URL, which is then discarded.
 *
 * @returns the data for this page, if already known; null where only a cookie can admit it
 */
export async function enter() {
  const token = location.hash.slice(1);
  if (!token) return null;
  history.replaceState(null, "", location.pathname);
  // A browser that is already in has used the token up, and still has its cookie.
  const response = await post("/session", { token }).catch((error) => {
    if (error.status !== 401) throw error;
  });
  if (!response) return null;
  return response.status === 204 ? null : response.json();
}

const json = async (path) => (await answered(await fetchInTurn(path))).json();

/** The data for this page. @param file the file in its URL; null for none */
export const arrive = (file) => json(file === null ? "/arrival" : `/arrival?file=${encodeURIComponent(file)}`);
export const list = () => json("/files");
/** What is in a folder that files can be opened from. @param id `null` for the outermost */
export const folder = (id) => json(id === null ? "/folders" : `/folders/${id}`);
/** Opens a listed file. @returns its number among the files */
export const openListed = async (file) => (await (await post("/open", { file })).json()).number;
export const quit = () => post("/quit", {});

/** The media of a file, or of a result that has no name yet. */
class Media {
  constructor(base) { this.base = base; }

  get media() { return `${this.base}/media`; }
  /** Where sound comes from: another track of the file, if one is chosen. */
  get sounding() { return (this.heard ?? null) === null ? this.base : `${this.base}/sounds/${this.heard}`; }
  still(at, width, height) {
    return `${this.base}/still?at=${at}&width=${width}&height=${height}`;
  }
  segment(kind, manner, from, to) {
    const base = kind === "sound" ? this.sounding : this.base;
    return `${base}/segment?kind=${kind}&as=${manner}&from=${from}&to=${to}`;
  }
}

/** One file, as served by the program. */
export class File extends Media {
  constructor(id) {
    super(`/files/${id}`);
    this.id = id;
    this.last = Promise.resolve();
  }

  /**
   * Makes a preview of the current selection.
   *
   * @param wish `{ is_written: true }` to get a file
   */
  async preview(wish = {}) {
    const made = await (await post(`${this.base}/preview`, wish)).json();
    return { ...made, file: new Media(`${this.base}/preview/${made.number}`) };
  }

  endPreview() { return post(`${this.base}/preview/end`, {}).catch(() => {}); }

  /** Looks for something; the state says when it has ended. @param thresholds as typed */
  find(kinds, thresholds) { return post(`${this.base}/find`, { page, kinds, thresholds }); }
  endFind() { return post(`${this.base}/find/end`, {}).catch(() => {}); }
  findings() { return json(`${this.base}/findings`); }

  /**
   * Makes the parts of a list parts of this file, as one step for undo.
   *
   * @param adds whether they come after the present ones
   * @returns what was read, and notes about what was not
   */
  async importList(bytes, adds) {
    for (let start = 0; ; start += PIECE) {
      const piece = bytes.subarray(start, start + PIECE);
      const base64 = btoa(String.fromCharCode(...piece));
      const isLast = start + PIECE >= bytes.length;
      const response = await post(`${this.base}/list`, { page, base64, is_first: start === 0, is_last: isLast, adds });
      if (isLast) return response.json();
    }
  }
  /** The parts as a list. @returns its name, text and notes about what it does not hold */
  async exportList(format) { return (await post(`${this.base}/list/written`, { format })).json(); }
  /** Puts a part of another file after all others. @param number of the file */
  addSource(number) { return post(`${this.base}/sources`, { file: number }); }
  /** Saves the work beside the output. @returns where */
  async saveProject() { return (await (await post(`${this.base}/project`, {})).json()).place; }

  /** Inputs arrive in the order in which they were made. */
  input(type, fields = {}) {
    const body = { page, message: { version: 1, input: { type, ...fields } } };
    this.last = this.last.then(() => post(`${this.base}/input`, body)).catch((error) => {
      if (!(error instanceof TypeError)) console.warn(error);
    });
    return this.last;
  }

  /** Opens it, and returns what does not change; refused with a sentence if that fails. */
  opening() { return json(`${this.base}/opening`); }
  /** The reading progress while it is being opened. */
  reading() { return json(`${this.base}/reading`); }
  /** Its beginning, while it is being opened. */
  get beginning() { return new Media(`${this.base}/look`); }
  text(purpose, text) { return post(`${this.base}/text`, { purpose, text }); }
  /** What is in a folder that outputs can go to. @param id `null` for the outermost */
  folder(id) { return json(id === null ? `${this.base}/folders` : `${this.base}/folders/${id}`); }
  /** @returns the number of the new folder */
  async makeFolder(folder, name) {
    return (await (await post(`${this.base}/folders`, { folder, name })).json()).number;
  }
  snapshot(at) { return `${this.base}/snapshot?at=${at}`; }
  result(number) { return `${this.base}/results/${number}`; }
  strip(from, to, count, height) {
    return `${this.base}/strip?from=${from}&to=${to}&count=${count}&height=${height}`;
  }
  levels(from, to, count) {
    return `${this.sounding}/levels?from=${from}&to=${to}&count=${count}`;
  }

  /** Delivers all events from now on; a hidden page closes its connection, and reconnects later. */
  listen(hear) {
    let source = null, isOver = false;
    const open = () => {
      if (isOver || source || document.hidden) return;
      source = new EventSource(`${this.base}/events?page=${page}`);
      for (const name of ["state", "moment"])
        source.addEventListener(name, (event) => hear(name, JSON.parse(event.data)));
      source.addEventListener("end", (event) => {
        isOver = true;
        close();
        hear("end", JSON.parse(event.data));
      });
      source.onopen = () => hear("connected");
      source.onerror = async () => {
        if (isOver) return;
        hear("lost");
        if (source?.readyState !== EventSource.CLOSED) return;
        source = null;
        // Another studio answers there, which does not know this browser.
        const { status } = await fetch("/files").catch(() => ({}));
        if (status === 401) return hear("locked");
        setTimeout(open, 1500);
      };
    };
    const close = () => {
      source?.close();
      source = null;
    };
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) return open();
      if (!this.keepsListening?.() && !this.keepsLooking?.()) close();
    });
    addEventListener("pagehide", close);
    addEventListener("pageshow", open);
    open();
  }
}
