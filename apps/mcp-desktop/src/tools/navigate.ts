import { ToolError } from "@grove/mcp";
import { timeoutSignal } from "@grove/signals";
import * as z from "zod";
import { requireOwnFile, resolvePath } from "../access/appUrls";
import { checkOrigin } from "../access/origins";
import { factsOf, placeOf, withAddress } from "../actions/actAndWait";
import { closeWindow } from "../actions/closeWindow";
import { type Milestone, waitsFor } from "../cdp/navigation";
import type { Page } from "../cdp/page";
import { type Call, desktopTool, onPage } from "../desktopTool";
import type { DocumentFacts } from "../page/documentFacts";
import { cutMarked, withoutLogin } from "../text";
import { dialog, integerWithin, optionalText, windowId, withDefault, writeAnnotations } from "./inputs";

const input = z.strictObject({
  url: optionalText(10_000).describe("Address"),
  path: optionalText(10_000).describe("Route: /x or #/x"),
  action: z.enum(["back", "forward", "reload", "stop", "close"]).optional().describe("Instead"),
  waitUntil: withDefault(z.enum(["load", "domcontentloaded", "commit"]), "load").describe("Default load"),
  timeoutMs: withDefault(integerWithin(0, 45_000), 15_000).describe("Wait for it"),
  dialog,
  windowId,
});
type Input = z.output<typeof input>;

const milestones = { load: "load", domcontentloaded: "DOMContentLoaded", commit: "commit" } as const;

export const navigate = desktopTool({
  name: "navigate",
  title: "Navigate",
  description:
    "Goes to a url, a path, back or forward, reloads, stops, or closes the window: exactly one. Reload revives a page that crashed or hangs.",
  annotations: writeAnnotations,
  input,
  run: (given, call) => {
    const named = (["url", "path", "action"] as const).filter((name) => given[name] !== undefined);
    if (named.length !== 1)
      throw new ToolError(
        "invalid_input",
        named.length === 0 ? "No destination is given" : `${named.join(" and ")} cannot be combined`,
        "Give exactly one of url, path and action.",
      );
    return onPage(call, given, (page) => page.runExclusive(() => go(page, given, call), call.signal), {
      revives: true,
    });
  },
});

async function go(page: Page, given: Input, { desktop, signal }: Call): Promise<string> {
  const timeout = timeoutSignal(given.timeoutMs, signal);
  const { commits, documents } = page.navigation;
  page.dialogs.act();
  try {
    if (given.action === "stop") return await stop(page, timeout);
    if (given.action === "close") return await closeWindow(page, await desktop.link(signal), timeout);
    if (given.action === "reload") await page.session.send("Page.reload", {}, timeout);
    else if (given.action !== undefined)
      await step(page, given.action === "back" ? -1 : 1, desktop.options.origins, timeout);
    else {
      const url =
        given.url === undefined
          ? resolvePath(given.path ?? "", await currentUrl(page, timeout))
          : await checkScheme(given.url, () => currentUrl(page, timeout));
      checkOrigin(url, desktop.options.origins);
      if (url.startsWith("file:")) requireOwnFile(url, await ownFile(page, timeout));
      const { errorText, isDownload } = await page.session.send("Page.navigate", { url }, timeout);
      if (isDownload)
        return `${withoutLogin(url)} is a download; the page stayed ${placeOf(await factsOf(page, signal))}.`;
      if (errorText !== undefined)
        throw failed(url, errorText, await otherDestination(page, url, commits, timeout));
    }
    const { navigation } = page;
    await navigation.until(() => navigation.commits > commits, timeout);
    const facts = await arrivedAt(page, milestones[given.waitUntil], documents, timeout);
    return describe(facts, navigation.documents > documents);
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    const { pending } = page.navigation;
    throw new ToolError(
      "timed_out",
      `The page had not reached ${given.waitUntil} after ${given.timeoutMs} ms${pending ? `, and ${waitsFor(pending)}` : ""}`,
      pending
        ? 'It may still get there; action "stop" gives it up.'
        : 'It may still get there: look with inspect_dom, or wait only for "commit".',
    );
  }
}

/**
 * The facts of the window's document at a milestone, even if it has navigated again in the meantime.
 * @param documents the number of documents that it had shown before
 */
async function arrivedAt(
  page: Page,
  milestone: Milestone,
  documents: number,
  signal: AbortSignal,
): Promise<DocumentFacts> {
  const { navigation } = page;
  await navigation.until(() => navigation.has(milestone), signal);
  // A document's reports from its loading are outdated once its address has changed.
  const reported = navigation.documents > documents ? page.loadMilestones.at(milestone) : undefined;
  if (!reported) return factsOf(page, signal);
  page.top.prepare();
  return withAddress(page, reported);
}

/** Gives up a navigation that is still pending. */
async function stop(page: Page, signal: AbortSignal): Promise<string> {
  const { pending } = page.navigation;
  await page.session.send("Page.stopLoading", undefined, signal);
  const pageText = placeOf(await factsOf(page, signal));
  return pending
    ? `${pending.url} was given up; the page stayed ${pageText}.`
    : `Stopped loading ${pageText}.`;
}

async function currentUrl(page: Page, signal: AbortSignal): Promise<string> {
  const { currentIndex, entries } = await page.session.send("Page.getNavigationHistory", undefined, signal);
  return entries[currentIndex]?.url ?? "about:blank";
}

/** The file that the app was loaded from. */
async function ownFile(page: Page, signal: AbortSignal): Promise<string | undefined> {
  const { entries } = await page.session.send("Page.getNavigationHistory", undefined, signal);
  return entries.find(({ url }) => url.startsWith("file:"))?.url;
}

async function step(page: Page, by: -1 | 1, origins: readonly string[], signal: AbortSignal): Promise<void> {
  const { currentIndex, entries } = await page.session.send("Page.getNavigationHistory", undefined, signal);
  const entry = entries[currentIndex + by];
  if (!entry)
    throw new ToolError(
      "no_history",
      `There is nothing to go ${by < 0 ? "back" : "forward"} to`,
      "Give a url or a path.",
    );
  checkOrigin(entry.url, origins);
  await page.session.send("Page.navigateToHistoryEntry", { entryId: entry.id }, signal);
}

/** Allows web pages, and the app's own scheme. */
async function checkScheme(url: string, ownUrl: () => Promise<string>): Promise<string> {
  if (!URL.canParse(url))
    throw new ToolError(
      "invalid_url",
      `${JSON.stringify(cutMarked(url, 200))} is not a full address`,
      "Give one with a scheme, or a path.",
    );
  // The normalized address, so that the browser cannot read another origin into it than the one checked.
  const { protocol, href } = new URL(url);
  if (protocol === "http:" || protocol === "https:") return href;
  if (url.includes("\\"))
    throw new ToolError(
      "invalid_url",
      `${JSON.stringify(cutMarked(url, 200))} has a backslash, which is read in more than one way`,
      "Write / or %5C.",
    );
  const current = await ownUrl();
  const ownProtocol = URL.canParse(current) ? new URL(current).protocol : "";
  const refused = /^(javascript|data|about|blob|chrome|devtools|view-source):$/.test(protocol);
  if (protocol === ownProtocol && !refused) return href;
  const allowed =
    refused || ["http:", "https:", "about:", ""].includes(ownProtocol)
      ? "http and https"
      : `http, https and ${ownProtocol.slice(0, -1)}`;
  throw new ToolError("scheme_not_allowed", `${protocol} addresses are not opened`, `Use ${allowed}.`);
}

/**
 * Returns the address to which the page navigated by itself during the navigation to `url`.
 * @param commits the number of the page's commits before that navigation
 */
async function otherDestination(
  page: Page,
  url: string,
  commits: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  // The browser can report the page's own navigation after it aborted this one, but before the page answers again.
  await factsOf(page, signal);
  const { pending, commits: commitsNow } = page.navigation;
  if (pending) return pending.url === url ? undefined : pending.url;
  return commitsNow > commits ? (await factsOf(page, signal)).url : undefined;
}

function failed(address: string, errorText: string, other: string | undefined): ToolError {
  const url = withoutLogin(address);
  if (/_AUTH|AUTH_/.test(errorText))
    return new ToolError(
      "login_required",
      `${url} asks for a login, and the browser has none that is accepted (${errorText})`,
      "Give the user and password in the address, as in http://user:password@host/, or let a person sign in.",
    );
  if (errorText !== "net::ERR_ABORTED")
    return new ToolError(
      "navigation_failed",
      `${url} could not be loaded (${errorText})`,
      "Check the address, and that its server runs.",
    );
  return other
    ? new ToolError(
        "navigation_stopped",
        `The page did not navigate to ${url}, but to ${other}`,
        "The page navigated itself. Call navigate again if you still want the first address.",
      )
    : new ToolError(
        "navigation_stopped",
        `The page did not navigate to ${url}`,
        "A beforeunload dialog, a download or a response without content can stop it.",
      );
}

function describe(facts: DocumentFacts, isOther: boolean): string {
  const status = isOther && facts.status > 0 ? ` (HTTP ${facts.status})` : "";
  return `Now ${placeOf(facts)}${status}.`;
}
