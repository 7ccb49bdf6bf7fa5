// What this page is about, asked for while the rest of the page is still on its way.

import { arrive, enter, File } from "./wire.js";

async function begin() {
  await enter();
  const { files, file, opening, look } = await arrive(new URLSearchParams(location.search).get("file"));
  return { files, opening, look, file: file === undefined ? null : new File(file) };
}

/** The files, and what is known by now of the one that is shown; of several, one has to be chosen. */
export const arrival = begin();
// Whoever waits for it hears of a failure.
arrival.catch(() => {});
