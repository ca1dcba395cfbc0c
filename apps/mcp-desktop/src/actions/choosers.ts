import type { Protocol } from "devtools-protocol";
import { sessionLifetime } from "../browser/sessionLifetime";
import type { Page } from "../cdp/page";

type Opened = Protocol.Page.FileChooserOpenedEvent;

/**
 * Keeps the file choosers of a page from opening, since no tool can use them, and collects them. People can use them
 * again once the returned function has been called.
 * @returns a function that ends this and returns sentences about the choosers
 */
export function interceptChoosers(page: Page): (signal: AbortSignal) => Promise<string[]> {
  const opened: Opened[] = [];
  const { sessions } = page.frames;
  const intercept = (enabled: boolean) => {
    for (const session of sessions)
      session.send("Page.setInterceptFileChooserDialog", { enabled }, sessionLifetime).catch(() => undefined);
  };
  const stops = sessions.map((session) =>
    session.on("Page.fileChooserOpened", (event) => void opened.push(event)),
  );
  // The browser handles what arrives after this command later, so no response is awaited.
  intercept(true);
  return async (signal) => {
    for (const stop of stops) stop();
    intercept(false);
    return Promise.all(opened.map((event) => sentenceOf(page, event, signal)));
  };
}

async function sentenceOf(
  page: Page,
  { frameId, backendNodeId, mode }: Opened,
  signal: AbortSignal,
): Promise<string> {
  const frame = await page.frames.holding(frameId, signal);
  const objectId =
    backendNodeId === undefined ? undefined : await frame.adopt(backendNodeId, signal).catch(() => undefined);
  if (objectId === undefined) return "The page asked for a file, and was given none.";
  const input = await frame.call("keep", [{ objectId }], signal);
  const paths = mode === "selectMultiple" ? "full paths, one per line," : "a full path";
  return `The page asked for a file by ${input}: give ${paths} to type_text with that ref.`;
}
