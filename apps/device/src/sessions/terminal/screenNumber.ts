/** Text that a program redraws for the same question: the time, elapsed seconds, a spinner, spaces around them. */
const PASSING = /\b\d{1,2}:\d{2}(:\d{2})?\b|\b\d+\s?s\b|[\u2800-\u28ff]|\s+/g;

/**
 * Numbers the screens of a terminal, so that an answer can name the screen that its author saw. Another question has
 * another number, as does the same question after any input.
 */
export class ScreenNumber {
  #number = 0;
  #shownScreen: string | undefined;

  /** Returns the number of the current screen, which has these lines. */
  of(lines: readonly string[]): number {
    const shown = lines.join("\n").replaceAll(PASSING, " ").trim();
    if (shown !== this.#shownScreen) this.#number++;
    this.#shownScreen = shown;
    return this.#number;
  }

  /** Gives the next screen a new number. Call it when a text was typed. */
  onTyped(): void {
    this.#shownScreen = undefined;
  }
}
