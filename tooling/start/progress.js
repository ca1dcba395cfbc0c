/** A shorter step is not mentioned. */
const WORTH_A_WORD_MS = 1_000;
const EVERY_MS = 200;

/**
 * Shows the current step, its progress and its duration on one line of stderr. A terminal's line is rewritten;
 * elsewhere it is printed once. A step of less than a second is not mentioned.
 * @param {string} doing
 * @param {import("node:tty").WriteStream} [to]
 */
export function showProgress(doing, to = process.stderr) {
  const begun = Date.now();
  const elapsed = () => Date.now() - begun;
  const seconds = () => `${Math.round(elapsed() / 1_000)} s`;
  /** @type {string | undefined} */
  let detail;
  let mentioned = false;
  const show = () => {
    if (elapsed() < WORTH_A_WORD_MS || (mentioned && !to.isTTY)) return;
    mentioned = true;
    to.write(to.isTTY ? `\r\x1b[K${doing}: ${detail ? `${detail}, ` : ""}${seconds()}` : `${doing} …\n`);
  };
  const timer = setInterval(show, EVERY_MS);
  return {
    /** @param {string | undefined} text */
    update(text) {
      detail = text;
    },
    /**
     * Removes the line, and prints what was done.
     * @param {string | undefined} done undefined when the step failed
     */
    end(done) {
      clearInterval(timer);
      if (mentioned && to.isTTY) to.write("\r\x1b[K");
      if (mentioned && done) to.write(`${done} in ${seconds()}.\n`);
    },
  };
}
