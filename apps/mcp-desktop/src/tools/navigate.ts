import { ToolError } from "@grove/mcp";
import { limit } from "@grove/signals";
import * as z from "zod";
import { closeWindow } from "../actions/closeWindow";
import { factsOf, placeOf, withAddress } from "../actions/settle";
import { type Call, desktopTool, onPage } from "../call";
import { type Milestone, waitsFor } from "../cdp/navigation";
import type { Page } from "../cdp/page";
import { checkOrigin } from "../origins";
import type { Facts } from "../page/facts";
import { refuseOtherFiles, resolvePath } from "../routes";
import { cut, withoutLogin } from "../text";
import { changes, dialog, optionalText, tacit, whole, windowId } from "./inputs";

const input = z.strictObject({
  url: optionalText(10_000).describe("Address"),
  path: optionalText(10_000).describe("Route: /x or #/x"),
  action: z.enum(["back", "forward", "reload", "stop", "close"]).optional().describe("Instead"),
  waitUntil: tacit(z.enum(["load", "domcontentloaded", "commit"]), "load").describe("Default load"),
  timeoutMs: tacit(whole(0, 45_000), 15_000).describe("Wait for it"),
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
  annotations: changes,
  input,
  run: (given, call) => {
    const named = (["url", "path", "action"] as const).filter((name) => given[name] !== undefined);
    if (named.length !== 1)
      throw new ToolError(
        "invalid_input",
        named.length === 0 ? "No destination is given" : `${named.join(" and ")} exclude each other`,
        "Give exactly one of url, path and action.",
      );
    return onPage(call, given, (page) => page.inTurn(() => go(page, given, call), call.signal), {
      revives: true,
    });
  },
});

async function go(page: Page, given: Input, { desktop, signal }: Call): Promise<string> {
  const patience = limit(given.timeoutMs, signal);
  const { commits, documents } = page.navigation;
  page.dialogs.act();
  try {
    if (given.action === "stop") return await stop(page, patience);
    if (given.action === "close") return await closeWindow(page, await desktop.link(signal), patience);
    if (given.action === "reload") await page.session.send("Page.reload", {}, patience);
    else if (given.action !== undefined)
      await step(page, given.action === "back" ? -1 : 1, desktop.options.origins, patience);
    else {
      const url =
        given.url === undefined
          ? resolvePath(given.path ?? "", await currentUrl(page, patience))
          : await checkScheme(given.url, () => currentUrl(page, patience));
      checkOrigin(url, desktop.options.origins);
      if (url.startsWith("file:")) refuseOtherFiles(url, await ownFile(page, patience));
      const { errorText, isDownload } = await page.session.send("Page.navigate", { url }, patience);
      if (isDownload)
        return `${withoutLogin(url)} is a download; the page stayed ${placeOf(await factsOf(page, signal))}.`;
      if (errorText !== undefined) throw failed(url, errorText, await ownWay(page, url, commits, patience));
    }
    const { navigation } = page;
    await navigation.until(() => navigation.commits > commits, patience);
    const facts = await arrivedAt(page, milestones[given.waitUntil], documents, patience);
    return describe(facts, navigation.documents > documents);
  } catch (error) {
    if (!patience.aborted || signal.aborted) throw error;
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
): Promise<Facts> {
  const { navigation } = page;
  await navigation.until(() => navigation.has(milestone), signal);
  // A document's reports from its loading are outdated once its address has changed.
  const told = navigation.documents > documents ? page.arrivals.at(milestone) : undefined;
  if (!told) return factsOf(page, signal);
  page.top.prepare();
  return withAddress(page, told);
}

/** Gives up a navigation that is still pending. */
async function stop(page: Page, signal: AbortSignal): Promise<string> {
  const { pending } = page.navigation;
  await page.session.send("Page.stopLoading", undefined, signal);
  const place = placeOf(await factsOf(page, signal));
  return pending ? `${pending.url} was given up; the page stayed ${place}.` : `Stopped loading ${place}.`;
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
      `${JSON.stringify(cut(url, 200))} is not a full address`,
      "Give one with a scheme, or a path.",
    );
  // The normalized address, so that the browser cannot read another origin into it than the one checked.
  const { protocol, href } = new URL(url);
  if (protocol === "http:" || protocol === "https:") return href;
  if (url.includes("\\"))
    throw new ToolError(
      "invalid_url",
      `${JSON.stringify(cut(url, 200))} has a backslash, which is read in more than one way`,
      "Write / or %5C.",
    );
  const current = await ownUrl();
  const own = URL.canParse(current) ? new URL(current).protocol : "";
  const refused = /^(javascript|data|about|blob|chrome|devtools|view-source):$/.test(protocol);
  if (protocol === own && !refused) return href;
  const allowed =
    refused || ["http:", "https:", "about:", ""].includes(own)
      ? "http and https"
      : `http, https and ${own.slice(0, -1)}`;
  throw new ToolError("scheme_not_allowed", `${protocol} addresses are not opened`, `Use ${allowed}.`);
}

/**
 * Returns the address to which the page navigated by itself during the navigation to `url`.
 * @param commits the number of the page's commits before that navigation
 */
async function ownWay(
  page: Page,
  url: string,
  commits: number,
  signal: AbortSignal,
): Promise<string | undefined> {
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
        `The page did not go to ${url}, but to ${other}`,
        "It went there by itself meanwhile. Navigate again if you want the first address.",
      )
    : new ToolError(
        "navigation_stopped",
        `The page did not go to ${url}`,
        "A beforeunload dialog, a download or a response without content can stop it.",
      );
}

function describe(facts: Facts, isOther: boolean): string {
  const status = isOther && facts.status > 0 ? ` (HTTP ${facts.status})` : "";
  return `Now ${placeOf(facts)}${status}.`;
}
