import { elementAt } from "../geometry/elementAt";

export interface DragEffect {
  /** Whether an element, or the value of a field, has changed. */
  readonly hasChanged: boolean;
}

let lastDrag: DragEvent | undefined;
let observer: MutationObserver | undefined;
let hasMutated = false;
const watchedViews = new WeakSet<Window>();

const seeChange = () => {
  hasMutated = true;
};

/** Starts to watch for a drag in the document at a point. */
export const watchDrag = (x: number, y: number): void => {
  lastDrag = undefined;
  const element = elementAt(x, y);
  const view = element?.ownerDocument.defaultView ?? window;
  hasMutated = element?.localName === "canvas";
  observer?.disconnect();
  observer = new MutationObserver(seeChange);
  for (const type of ["input", "change", "scroll"]) view.addEventListener(type, seeChange, { capture: true });
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  for (
    let root = element?.getRootNode();
    root;
    root = "host" in root ? (root.host as Element).getRootNode() : undefined
  )
    observer.observe(root, all);
  if (watchedViews.has(view)) return;
  watchedViews.add(view);
  const see = (event: DragEvent) => {
    lastDrag = event;
  };
  view.addEventListener("dragstart", see, { capture: true });
};

/** The effects of the drag since then. */
export const dragEffect = (): DragEffect => {
  const hasPending = (observer?.takeRecords() ?? []).length > 0;
  observer?.disconnect();
  return { hasChanged: hasMutated || hasPending };
};

/** Whether a drag has begun since then, and the page has not prevented it. */
export const dragBegan = (): boolean => lastDrag !== undefined && !lastDrag.defaultPrevented;
