import { setLiveStatus } from "../../live/liveStatus";
import { hasUnsavedForms } from "./unsavedForms";

/* After an update of the server, files that an open page has not loaded yet no longer exist. */

const RELOADED = "grove.reloaded";

/** Whether a file of the page failed to load. Compares with the messages of Chromium, Firefox, Safari and Vite. */
export const isMissingFile = ({ message }: { message: string }): boolean =>
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/.test(message);

/** Whether the server has another build than this page. False if the server does not answer. */
async function isOutdated(): Promise<boolean> {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src;
  const response = await fetch("/", { headers: { accept: "text/html" } }).catch(() => undefined);
  if (!entry || !response?.ok) return false;
  return !(await response.text()).includes(new URL(entry).pathname);
}

/**
 * Reloads the page if the server was updated. It reloads once per build, to rule out a loop, and never while a form has
 * unsaved text.
 */
export async function reloadIfOutdated(): Promise<void> {
  if (!(await isOutdated())) return;
  setLiveStatus({ updated: true });
  if (hasUnsavedForms() || sessionStorage.getItem(RELOADED) === import.meta.url) return;
  sessionStorage.setItem(RELOADED, import.meta.url);
  location.reload();
}

// The file may only be a preload for a hovered link, so offer a reload instead of reloading.
addEventListener("vite:preloadError", () => {
  void isOutdated().then((updated) => updated && setLiveStatus({ updated }));
});
