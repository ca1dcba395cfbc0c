import { ToolError } from "@grove/mcp";
import type { Page } from "../cdp/page";
import { drawn } from "./locate";

/** Longest wait for a page that an action led to. */
const PATIENCE_MS = 5_000;

/**
 * Acts, and waits until the page has drawn what came of it; where it led to another page, until that one is parsed.
 * @returns sentences on what followed
 */
export async function settled(page: Page, act: () => Promise<void>, signal: AbortSignal): Promise<string[]> {
  const { navigation } = page;
  const before = navigation.commits;
  try {
    await act();
    await drawn(page, 1, signal);
  } catch (error) {
    if (error instanceof ToolError && error.code === "window_closed") return ["The window closed."];
    throw error;
  }
  if (navigation.commits === before && navigation.pending === undefined) return [];
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    await navigation.until(
      () => navigation.pending === undefined && navigation.has("DOMContentLoaded"),
      patience,
    );
  } catch (error) {
    if (signal.aborted) throw error;
    return [`It is still loading ${navigation.pending ?? "the next page"}.`];
  }
  if (navigation.commits === before) return [];
  return [`The page is now ${await where(page, signal)}.`];
}

/** `"Title" at https://…` */
export async function where(page: Page, signal: AbortSignal): Promise<string> {
  const expression = "JSON.stringify([document.title, location.href])";
  const { result } = await page.session.send("Runtime.evaluate", { expression }, signal);
  const [title, url] = JSON.parse(String(result.value)) as [string, string];
  return `${JSON.stringify(title.slice(0, 100))} at ${url.slice(0, 500)}`;
}
