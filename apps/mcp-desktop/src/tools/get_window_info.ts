import { timeoutSignal } from "@grove/signals";
import * as z from "zod";
import { factsOf } from "../actions/actAndWait";
import type { Link } from "../cdp/link";
import { waitsFor } from "../cdp/navigation";
import type { Page } from "../cdp/page";
import { isOfApp } from "../cdp/targets";
import { isWindowClosedError } from "../cdp/windowErrors";
import { desktopTool } from "../desktopTool";
import { cutMarked, pluralize } from "../text";
import { readAnnotations } from "./inputs";

/** A window that does not answer must not keep the others from being listed. */
const TIMEOUT_MS = 1_500;
const MAX_WINDOWS = 30;

export const getWindowInfo = desktopTool({
  name: "get_window_info",
  title: "Windows",
  description:
    "Lists the windows: bounds, state, focus, viewport. Tools use the default one without windowId.",
  annotations: readAnnotations,
  input: z.strictObject({}),
  async run(_input, { desktop, signal }) {
    const link = await desktop.link(signal);
    const windows = link.targets.filter(isOfApp);
    if (windows.length === 0) return "The app has no window.";
    const { chosen } = await desktop.choose(link, signal).catch(() => ({ chosen: undefined }));
    const described = await Promise.all(
      windows.slice(0, MAX_WINDOWS).map(async (target) => {
        const { targetId, type, url } = target;
        const description = await describe(link, targetId, signal);
        if (!description) return [];
        const { title = target.title, facts } = description;
        const line = [
          link.windowIdOf(targetId),
          type,
          JSON.stringify(cutMarked(title, 100)),
          cutMarked(url, 500),
          ...facts,
          ...(target === chosen ? ["default"] : []),
        ];
        return [line.join(" ")];
      }),
    );
    const lines = described.flat();
    const omittedCount = windows.length - described.length;
    const more = omittedCount > 0 ? [`… ${omittedCount} more (truncated)`] : [];
    const total = lines.length + omittedCount;
    return [`${pluralize(total, "window")}.`, ...lines, ...more].join("\n");
  },
});

interface Description {
  /** The page's own title, since the target's may lag behind. */
  readonly title?: string;
  readonly facts: readonly string[];
}

/** Undefined for a window that was closed in the meantime. */
async function describe(link: Link, targetId: string, signal: AbortSignal): Promise<Description | undefined> {
  const timeout = timeoutSignal(TIMEOUT_MS, signal);
  let page: Page | undefined;
  try {
    page = await link.page(targetId, timeout);
    if (page.crashed) return { facts: ["crashed"] };
    const { open } = page.dialogs;
    if (open) return { facts: [`${open.type} dialog open: ${JSON.stringify(cutMarked(open.message, 200))}`] };
    const [bounds, view] = await Promise.all([boundsOf(page, timeout), viewOf(page, timeout)]);
    return { title: view.title, facts: [...bounds, ...view.facts] };
  } catch (error) {
    signal.throwIfAborted();
    const pending = page?.navigation.pending;
    if (timeout.aborted) return { facts: [pending ? waitsFor(pending) : "does not answer"] };
    if (isWindowClosedError(error)) return undefined;
    throw error;
  }
}

/** The window's bounds on the desktop. Not every app reports them. */
async function boundsOf({ session, targetId }: Page, signal: AbortSignal): Promise<string[]> {
  try {
    const { bounds } = await session.send("Browser.getWindowForTarget", { targetId }, signal);
    const { left, top, width, height, windowState } = bounds;
    return [`bounds ${left},${top} ${width}x${height}`, `state ${windowState}`];
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

async function viewOf(page: Page, signal: AbortSignal) {
  const { title, visibility, focused, devicePixelRatio, viewport } = await factsOf(page, signal);
  // Once a tool has acted on the page, the page believes that it has the focus.
  const focus = focused ? [page.emulatesFocus ? "focused (emulated)" : "focused"] : [];
  return {
    title,
    facts: [
      visibility,
      ...focus,
      `devicePixelRatio ${devicePixelRatio}`,
      `viewport ${viewport.width}x${viewport.height}`,
    ],
  };
}
