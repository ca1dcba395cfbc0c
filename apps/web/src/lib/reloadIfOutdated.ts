import { setLiveStatus } from "../live/liveStatus";
import { hasUnsavedForms } from "./unsavedForms";

/* A page whose server was updated: the files that it has not loaded yet are gone. */

const RELOADED = "grove.reloaded";

/** A part of the page cannot be loaded. The words are those of Chromium, Firefox, Safari and Vite. */
export const isMissingFile = ({ message }: { message: string }): boolean =>
  /dynamically imported module|Importing a module script failed|Unable to preload CSS/.test(message);

/** Whether the server has another build of the console than this page is from. False if nothing answers. */
async function isOutdated(): Promise<boolean> {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src;
  const response = await fetch("/", { headers: { accept: "text/html" } }).catch(() => undefined);
  if (!entry || !response?.ok) return false;
  return !(await response.text()).includes(new URL(entry).pathname);
}

/**
 * Loads the page again if the server was updated: once for each build, so that it never does so in a circle, and not
 * while a form has a text that would be lost.
 */
export async function reloadIfOutdated(): Promise<void> {
  if (!(await isOutdated())) return;
  setLiveStatus({ updated: true });
  if (hasUnsavedForms() || sessionStorage.getItem(RELOADED) === import.meta.url) return;
  sessionStorage.setItem(RELOADED, import.meta.url);
  location.reload();
}

// The file may only have been wanted early, for a link under the pointer. Then the page says that it is outdated.
addEventListener("vite:preloadError", () => {
  void isOutdated().then((updated) => updated && setLiveStatus({ updated }));
});
