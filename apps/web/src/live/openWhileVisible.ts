/** A hidden tab closes its stream after this time. */
const HIDDEN_MS = 10_000;

type Tab = Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;

/**
 * Keeps a stream open while the tab is visible, and for 10 s after that: devices report output far more often while a
 * session has viewers.
 * @param open opens the stream and returns a function that closes it; called again when the tab is visible again
 * @returns closes the stream permanently
 */
export function openWhileVisible(open: () => () => void, tab: Tab = document): () => void {
  let close: (() => void) | undefined = open();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const closeStream = () => {
    close?.();
    close = undefined;
  };
  const onChange = () => {
    clearTimeout(timer);
    if (tab.visibilityState === "hidden") timer = setTimeout(closeStream, HIDDEN_MS);
    else close ??= open();
  };
  // A tab may be opened in the background.
  if (tab.visibilityState === "hidden") onChange();
  tab.addEventListener("visibilitychange", onChange);
  return () => {
    clearTimeout(timer);
    tab.removeEventListener("visibilitychange", onChange);
    closeStream();
  };
}
