/** A failure whose message is for the user: it is printed without a stack. */
export class Failed extends Error {
  constructor(/** @type {string} */ message, /** The exit code. */ code = 1) {
    super(message);
    this.code = code;
  }
}

/** The user has stopped the command, by Ctrl+C, SIGTERM or closing the terminal. */
export class Stopped extends Error {}

/** The exit code of a command that Ctrl+C has ended. */
const INTERRUPTED = 130;

/** @param {string} text */
export const say = (text) => void process.stderr.write(`${text}\n`);

/**
 * Runs one of the root's commands, and sets the exit code.
 * @param {() => Promise<void>} work
 */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    if (error instanceof Failed) {
      if (error.message) say(error.message);
      process.exitCode = error.code;
    } else if (error instanceof Stopped) process.exitCode = INTERRUPTED;
    else throw error;
  }
}
