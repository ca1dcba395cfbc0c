import { describe } from "./accessibility/describe";
import { documentFacts } from "./documentFacts";
import { byRef, keepRef, setPrefix } from "./dom/refs";
import { openRoot, root } from "./dom/tree";
import { afterFrames, afterTimers } from "./frames";
import { dragBegan, dragEffect, watchDrag } from "./gestures/drag";
import { receivedInput } from "./gestures/receivedInput";
import { scrollersAt } from "./gestures/scrollers";
import { snapshot } from "./snapshot/snapshot";
import { check } from "./target/check";
import { windowAt } from "./target/describeAt";
import { frameBox } from "./target/framePlace";
import { show } from "./target/show";
import { choose, holdsText, insert, lengthOf, paste, setValue } from "./typing/edit";
import { startTyping } from "./typing/field";

/** Keeps an element's ref even if it is not in the document. Returns its description. */
const keep = (element: Element): string => {
  keepRef(element);
  return describe(element);
};

/** The functions that the server calls in a document. */
const functions = {
  check,
  choose,
  documentFacts,
  dragBegan,
  dragEffect,
  element: byRef,
  frameBox,
  afterFrames,
  holdsText,
  insert,
  keep,
  lengthOf,
  openRoot,
  paste,
  receivedInput,
  root,
  scrollersAt,
  setValue,
  show,
  snapshot,
  startTyping,
  afterTimers,
  watchDrag,
  windowAt,
};

export type PageFunctions = typeof functions;

/**
 * Starts the script in a document.
 * @param prefix begins the refs that it issues, so that no ref of another document is mistaken for its own
 */
export default function start(prefix: string): PageFunctions {
  setPrefix(prefix);
  return functions;
}
