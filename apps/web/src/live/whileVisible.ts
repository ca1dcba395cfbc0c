/** A tab that is hidden for longer lets go: a browser has six connections for all tabs. */
const HIDDEN_MS = 10_000;

type Tab = Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;

/**
 * Keeps a stream open while the tab is visible, and for a while after that. Without this, six tabs with a stream each
 * would leave no connection for calls.
 * @param open opens the stream, and returns what closes it; called again when the tab is visible again
 * @returns closes the stream for good
 */
export function whileVisible(open: () => () => void, tab: Tab = document): () => void {
  let close: (() => void) | undefined = open();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const letGo = () => {
    close?.();
    close = undefined;
  };
  const onChange = () => {
    clearTimeout(timer);
    if (tab.visibilityState === "hidden") timer = setTimeout(letGo, HIDDEN_MS);
    else close ??= open();
  };
  // A tab may be opened in the background.
  if (tab.visibilityState === "hidden") onChange();
  tab.addEventListener("visibilitychange", onChange);
  return () => {
    clearTimeout(timer);
    tab.removeEventListener("visibilitychange", onChange);
    letGo();
  };
}
