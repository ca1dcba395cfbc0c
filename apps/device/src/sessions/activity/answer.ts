import { type CommandReason, QUESTION_TEXT_LENGTH, withoutUnseen } from "@grove/schemas";
import { CommandFailure } from "../../errors";
import { choiceOn, choosesIn } from "./choice";
import { questionTextOf } from "./questionText";

/** The state of a session right before something is typed. */
export interface ScreenState {
  /** The lines on the screen. */
  lines: readonly string[];
  /** The number of the screen. */
  number: number;
  waiting: boolean;
}

/**
 * Checks that a text answers the screen that its author saw.
 * @param screen the number of the screen that the author saw, if the call has one
 * @throws {CommandFailure} `screen_changed`, `screen_not_given` or `choice_shown`, with the current screen
 */
export function requireAnswers(text: string, screen: number | undefined, current: ScreenState): void {
  const { lines, number, waiting } = current;
  const choice = choiceOn(lines);
  const refuse = (reason: CommandReason, message: string) =>
    new CommandFailure(reason, `${message} Nothing was typed.`, {
      number,
      lines: withoutUnseen(questionTextOf(lines.join("\n"))).slice(-QUESTION_TEXT_LENGTH),
    });
  if (screen !== undefined && screen !== number)
    throw refuse(
      "screen_changed",
      `The terminal no longer shows screen ${screen}, or an answer was already typed. Read screen ${number} and answer that.`,
    );
  if (screen === undefined && (waiting || choice) && !isInterrupt(text))
    throw refuse(
      "screen_not_given",
      `The session waits for an answer. Read its screen, and give its number (now ${number}) as \`screen\`.`,
    );
  if (choice && !choosesIn(choice, text))
    throw refuse(
      "choice_shown",
      "The terminal shows a choice, which text would answer by accident. Type the key of one option, or the arrows and \\r.",
    );
}

/** Escape and Ctrl+C interrupt a program. They approve nothing. */
const isInterrupt = (text: string) => text === "\x1b" || text === "\x03";

/** A text of this length is pasted even if it is one line. */
const LONG = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters press keys.
const PASTE_MARKS = /\x1b\[20[01]~/g;

/**
 * Returns a text in the form to type: as one paste, without inner marks, if the program supports bracketed paste and
 * the text is long or has several lines. The return at its end stays a key.
 */
export function typedForm(text: string, bracketedPaste: boolean): string {
  const end = text.endsWith("\r") ? "\r" : "";
  const inner = text.slice(0, text.length - end.length);
  const safe = inner.replaceAll(PASTE_MARKS, "");
  const isPaste = safe !== inner || /[\r\n]./s.test(safe) || safe.length > LONG;
  return isPaste && bracketedPaste && !isKeys(safe) ? pasted(safe, bracketedPaste) + end : safe + end;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: arrows and other keys are escape sequences.
const isKeys = (text: string) => /^(\x1b(\[[0-9;]*[A-Za-z~]|O[A-Za-z])?|[\r\n\t\x7f])+$/.test(text);

/**
 * Returns a text as one paste, if the program enabled bracketed paste. Escape characters are removed, since they could
 * end the paste and press keys.
 */
export function pasted(text: string, bracketedPaste: boolean): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be typed.
  const harmless = text.replaceAll(/\r\n?/g, "\n").replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
  return bracketedPaste ? `\x1b[200~${harmless}\x1b[201~` : harmless;
}

/** Whether a key press left a menu unchanged, apart from the mark of the current option and the key's echo. */
export function isSameChoice(before: readonly string[], after: readonly string[]): boolean {
  const withoutMarks = (lines: readonly string[]) => lines.join("\n").replaceAll(/[❯›>●◉*→\s]/g, "");
  return choiceOn(after) !== undefined && withoutMarks(after).replace(withoutMarks(before), "").length <= 2;
}
