import { countLostPresses } from "./lostPresses";

/** The trusted input events that a document and the documents of its frames have received since they were loaded. */
export interface ReceivedInput {
  readonly mouse: number;
  readonly keys: number;
  readonly drops: number;
  readonly lostPresses: number;
  /** The number of documents. */
  readonly documents: number;
  /** When the newest of these documents was created, in ms since 1970. */
  readonly newest: number;
  /** Whether a list or calendar may be open, which receives the input instead. */
  readonly mayHavePopup: boolean;
}

const popupControls =
  "select, input[list], input[type=color], input[type=date], input[type=time], input[type=month], input[type=week], input[type=datetime-local]";

/** These elements have documents that this server is not attached to. */
const embedding = "embed, object, fencedframe, webview";

export const receivedInput = (): ReceivedInput => {
  let mouse = 0;
  let keys = 0;
  let drops = 0;
  let lostPresses = 0;
  let documents = 0;
  let newest = 0;
  let mayHavePopup = false;
  const add = (view: Window) => {
    documents++;
    newest = Math.max(newest, view.performance.timeOrigin);
    // The browser counts events, also those that the page keeps from listeners.
    const { eventCounts } = view.performance;
    mouse += (eventCounts.get("pointerdown") ?? 0) + (eventCounts.get("mousedown") ?? 0);
    keys += (eventCounts.get("keydown") ?? 0) + (eventCounts.get("keyup") ?? 0);
    drops += eventCounts.get("drop") ?? 0;
    lostPresses += countLostPresses(view);
    const { document } = view;
    mayHavePopup ||=
      document.activeElement?.matches(popupControls) === true || document.querySelector(embedding) !== null;
    for (let index = 0; index < view.length; index++) {
      const inner = view[index];
      if (inner && isOpen(inner)) add(inner);
    }
  };
  add(window);
  return { mouse, keys, drops, lostPresses, documents, newest, mayHavePopup };
};

/** Whether scripts of this document can access a frame's document. */
const isOpen = (view: Window): boolean => {
  try {
    return Boolean(view.document);
  } catch {
    return false;
  }
};
