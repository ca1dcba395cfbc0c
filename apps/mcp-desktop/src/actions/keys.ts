import { timeoutSignal } from "@grove/signals";
import type { Page } from "../cdp/page";
import type { Session } from "../cdp/session";
import { awaitFrames } from "./awaitFrames";
import { bits, type Chord, type Key, keyOfCharacter, namedKeys } from "./keyboard";

/** On macOS the system turns chords into editing commands, but it does not see chords sent by us. */
const macCommands: Record<string, string> = {
  a: "selectAll",
  c: "copy",
  v: "paste",
  x: "cut",
  z: "undo",
};

/**
 * Presses a chord and releases all of it, even on failure.
 * @throws {unknown} any error of the session
 */
export async function pressChord(
  session: Session,
  chord: Chord,
  isMac: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { modifiers, key } = chord;
  const pressed: Key[] = [];
  const sent: Promise<unknown>[] = [];
  let heldBits = 0;
  const down = (one: Key, text?: string) => {
    const command = isMac && modifiers.includes("Meta") ? macCommands[one.key.toLowerCase()] : undefined;
    pressed.unshift(one);
    sent.push(
      session.send(
        "Input.dispatchKeyEvent",
        {
          type: text === undefined ? "rawKeyDown" : "keyDown",
          modifiers: heldBits,
          ...eventOf(one),
          ...(text !== undefined && { text, unmodifiedText: text }),
          ...(command && { commands: [command] }),
        },
        signal,
      ),
    );
  };
  for (const name of modifiers) {
    const modifier = namedKeys[name];
    if (!modifier) continue;
    heldBits |= bits[name] ?? 0;
    down(modifier);
  }
  // With Control or Meta held, a key types nothing; with Alt it may.
  if (key) down(key, (heldBits & ~(8 | 1)) === 0 ? key.text : undefined);
  // This neither waits for the responses nor uses the call's signal: every key is released, whatever happens to the
  // call.
  await Promise.all([...sent, release(session, pressed, heldBits)]);
}

async function release(session: Session, pressed: readonly Key[], held: number): Promise<void> {
  let bitsToRelease = held;
  const released = pressed.map((key) => {
    bitsToRelease &= ~(bits[key.key] ?? 0);
    const params = { type: "keyUp", modifiers: bitsToRelease, ...eventOf(key) } as const;
    return session.send("Input.dispatchKeyEvent", params, timeoutSignal(5_000));
  });
  await Promise.allSettled(released);
}

const eventOf = ({ key, code, keyCode, location }: Key) => ({
  key,
  code,
  windowsVirtualKeyCode: keyCode,
  ...(location !== undefined && { location }),
});

/** Texts up to this length are typed key by key, so that key listeners see each one. */
export const MAX_TYPED = 200;

/**
 * Types into the focused element. Long texts, and characters without a key, are inserted. In a region, a text of
 * several lines is inserted as a whole: its editor makes paragraphs only after it has received the keys that follow.
 */
export async function typeText(
  session: Session,
  text: string,
  isRegion: boolean,
  signal: AbortSignal,
): Promise<void> {
  const characters = Array.from(text);
  if (characters.length > MAX_TYPED || (isRegion && text.includes("\n")))
    return void (await session.send("Input.insertText", { text }, signal));
  // Sent together: the browser keeps the order, so no response has to be awaited in between.
  await Promise.all(
    characters.flatMap((character) => {
      const key = keyOfCharacter(character);
      if (!key) return [session.send("Input.insertText", { text: character }, signal)];
      const event = eventOf(key);
      return [
        session.send("Input.dispatchKeyEvent", { type: "keyDown", ...event, text: character }, signal),
        session.send("Input.dispatchKeyEvent", { type: "keyUp", ...event }, signal),
      ];
    }),
  );
}

/** Types lines into an editor that makes a paragraph only of Enter. It gets time to render each one. */
export async function typeParagraphs(page: Page, text: string, signal: AbortSignal): Promise<void> {
  for (const [index, line] of text.split("\n").entries()) {
    if (index > 0) {
      await pressChord(page.session, { modifiers: [], key: namedKeys.Enter }, false, signal);
      await awaitFrames(page, 1, signal);
    }
    if (line !== "") await page.session.send("Input.insertText", { text: line }, signal);
  }
}

/** Whether a text is typed without a single key. */
export const isInserted = (text: string, isRegion: boolean): boolean =>
  Array.from(text).length > MAX_TYPED ||
  (isRegion && text.includes("\n")) ||
  !Array.from(text).some(keyOfCharacter);
