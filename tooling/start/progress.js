/** What is done sooner is not worth a word. */
const WORTH_A_WORD_MS = 1_000;
const EVERY_MS = 200;

/**
 * One line on stderr that says what is being done, how far it is, and for how long: rewritten on a terminal, printed once
 * elsewhere. What takes less than a second is not mentioned.
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
     * Takes the line away again, and says what has been done.
     * @param {string | undefined} done undefined when it was not
     */
    end(done) {
      clearInterval(timer);
      if (mentioned && to.isTTY) to.write("\r\x1b[K");
      if (mentioned && done) to.write(`${done} in ${seconds()}.\n`);
    },
  };
}
