/** Text that a program redraws while it asks the same: the time, seconds that pass, a spinner, spaces around them. */
const PASSING = /\b\d{1,2}:\d{2}(:\d{2})?\b|\b\d+\s?s\b|[\u2800-\u28ff]|\s+/g;

/**
 * Numbers what a terminal shows, so that an answer can name the screen that its author saw. Another question has
 * another number, and so has the same question once something was typed.
 */
export class ScreenNumber {
  #number = 0;
  #shown: string | undefined;

  /** The number of a screen with these lines, which the terminal shows now. */
  of(lines: readonly string[]): number {
    const shown = lines.join("\n").replaceAll(PASSING, " ").trim();
    if (shown !== this.#shown) this.#number++;
    this.#shown = shown;
    return this.#number;
  }

  /** Something was typed: whatever the terminal shows from now on has another number. */
  typed(): void {
    this.#shown = undefined;
  }
}
