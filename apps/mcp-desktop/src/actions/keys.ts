import type { Session } from "../cdp/session";
import { limit } from "../limit";
import { bits, type Chord, type Key, keyOfCharacter, named } from "./keyboard";

/** What macOS makes of a chord comes from the system, which does not see ours. */
const macCommands: Record<string, string> = {
  a: "selectAll",
  c: "copy",
  v: "paste",
  x: "cut",
  z: "undo",
};

/**
 * Presses a chord and releases all of it, also on failure.
 * @throws what sending throws
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
  let held = 0;
  const down = (one: Key, text?: string) => {
    const command = isMac && modifiers.includes("Meta") ? macCommands[one.key.toLowerCase()] : undefined;
    pressed.unshift(one);
    sent.push(
      session.send(
        "Input.dispatchKeyEvent",
        {
          type: text === undefined ? "rawKeyDown" : "keyDown",
          modifiers: held,
          ...eventOf(one),
          ...(text !== undefined && { text, unmodifiedText: text }),
          ...(command && { commands: [command] }),
        },
        signal,
      ),
    );
  };
  for (const name of modifiers) {
    const modifier = named[name];
    if (!modifier) continue;
    held |= bits[name] ?? 0;
    down(modifier);
  }
  // With Control or Meta held a key types nothing; with Alt it may.
  if (key) down(key, (held & ~(8 | 1)) === 0 ? key.text : undefined);
  // Without waiting for the answers, and not with the call's signal: every key is released, whatever becomes of the call.
  await Promise.all([...sent, release(session, pressed, held)]);
}

async function release(session: Session, pressed: readonly Key[], held: number): Promise<void> {
  let left = held;
  const released = pressed.map((key) => {
    left &= ~(bits[key.key] ?? 0);
    const params = { type: "keyUp", modifiers: left, ...eventOf(key) } as const;
    return session.send("Input.dispatchKeyEvent", params, limit(5_000));
  });
  await Promise.allSettled(released);
}

const eventOf = ({ key, code, keyCode, location }: Key) => ({
  key,
  code,
  windowsVirtualKeyCode: keyCode,
  ...(location !== undefined && { location }),
});

/** Up to so many characters are typed key by key, so that whoever listens to keys hears each. */
export const MAX_TYPED = 200;

/**
 * Types into what has the focus. Long texts are inserted, and so are characters that no key types. A text of several lines
 * is inserted as a whole in a region: its editor makes paragraphs only after it has taken the keys that follow.
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
  // All at once: the browser keeps the order, and no answer has to be waited for in between.
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
