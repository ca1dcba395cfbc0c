import { describe } from "../accessibility/describe";
import { isDisabled } from "../dom/controls";
import { isEditor, isKeyCatcher, isSet } from "../dom/editable";
import { refOf } from "../dom/refs";
import { contains, tagOf } from "../dom/tree";
import type { Box } from "../geometry/affine";
import { boxOf } from "../geometry/boxes";
import { elementAt } from "../geometry/elementAt";
import { isCertain } from "../geometry/frameTransforms";
import { ignoresPointer } from "../geometry/layout";
import { hasBox, middleOf } from "../geometry/points";
import { isLoose } from "../search/byText";
import { find, type Query, type Refusal } from "../search/find";
import { nearest, selectWith } from "../search/nearest";
import { spotOf } from "../search/textPosition";
import { type Field, startTyping } from "../typing/field";
import { isShown, reveal, shownBy } from "../visibleBox";
import { describeAt } from "./describeAt";
import { freePoint } from "./freePoint";
import { hasPointerMoved } from "./pointer";

export interface Aim extends Query {
  /** Which of the matches to use. */
  readonly index: number;
  /** The element's box one frame ago. */
  readonly last?: Box | undefined;
  /** Loose matches of a text do not count yet. */
  readonly isPatient?: boolean;
  /** The element is not scrolled into view. */
  readonly stays?: boolean;
  /** The text to click on, if it differs from the searched text. */
  readonly at?: string | undefined;
  /** Text is to be typed there, so the field is prepared once it is ready. */
  readonly typing?: { readonly selectAll: boolean } | undefined;
}

interface Found {
  /** The number of matching elements. */
  readonly count: number;
  readonly ref: string;
  readonly tag: string;
  readonly description: string;
  /** Whether the element's text contains more than the wanted text. */
  readonly isLoose: boolean;
  readonly box: Box;
}

/** The element can be acted on at (x, y). */
interface Ready {
  readonly status: "ready";
  readonly x: number;
  readonly y: number;
  /** Descriptions of the first few other matches. */
  readonly others: string[];
  /** Whether the pointer has moved over its document since the last check. */
  readonly pointed: boolean;
  /** Whether the pointer is over it now. */
  readonly hovered: boolean;
  /** The field to type into. */
  readonly field?: Field | undefined;
}

export type Check =
  | (Found & Ready)
  | (Found & { readonly status: "hidden" | "disabled" | "moving" | "offscreen" | "distorted" })
  | (Found & { readonly status: "covered"; readonly by: string })
  | {
      readonly status: "missing";
      readonly count: number;
      readonly near: string[];
      readonly select?: string | undefined;
    }
  | { readonly status: "refused"; readonly count: 0; readonly refusal: Refusal };

/** Returns the running animations of an element and of those around it. */
const animationsOf = (element: Element): Animation[] =>
  element.ownerDocument.getAnimations().filter((animation) => {
    const target = (animation.effect as KeyframeEffect | null)?.target;
    return animation.playState === "running" && target && contains(target, element);
  });

/** Whether an animation has been requested, but has not begun to move the element. A hidden page begins none. */
const isPending = ({ pending }: Animation): boolean => pending && document.visibilityState === "visible";

const differs = (a: Box, b: Box) =>
  (["x", "y", "width", "height"] as const).some((side) => Math.abs(a[side] - b[side]) > 0.5);

/** Whether an element has moved since the last check. At the first check, whether it may move. */
const isMoving = (element: Element, box: Box, last: Box | undefined): boolean => {
  if (last && differs(last, box)) return true;
  const animations = animationsOf(element);
  return last ? animations.some(isPending) : animations.length > 0;
};

/** Finds, scrolls into view, measures and hit-tests in one go. `near` is only searched for with `explain`. */
export const check = (aim: Aim, explain: boolean): Check => {
  const matches = find(aim);
  if (!Array.isArray(matches)) return { status: "refused", count: 0, refusal: matches };
  const { text: wanted, isPatient } = aim;
  const isLooseMatch = (match: Element) => wanted !== undefined && isLoose(match, wanted);
  const element = matches[aim.index];
  if (!element || (isPatient && isLooseMatch(element))) {
    const near = explain ? nearest(aim) : [];
    const count = isPatient ? matches.filter((match) => !isLooseMatch(match)).length : matches.length;
    const select = explain && wanted !== undefined ? selectWith(wanted) : undefined;
    return { status: "missing", count, near, select };
  }
  const shown = shownBy(element);
  const pressed = isEditor(element) ? shown : element;
  const found = {
    count: matches.length,
    ref: refOf(element),
    tag: tagOf(element),
    description: describe(element),
    isLoose: isLooseMatch(element),
    box: boxOf(shown),
  };
  // Files are chosen without the pointer.
  if (aim.typing && element.matches("input[type=file]") && !isDisabled(element)) {
    const field = startTyping(found.ref, false);
    const at = middleOf(shown) ?? { x: 0, y: 0 };
    return { ...found, status: "ready", ...at, pointed: true, hovered: true, others: [], field };
  }
  const select = !hasBox(shown) && element.localName === "option" && element.closest("select");
  if (select && isShown(select)) return { status: "missing", count: 0, near: [], select: describe(select) };
  if (!hasBox(shown)) return { ...found, status: "hidden" };
  if (!isCertain(element.ownerDocument)) return { ...found, status: "distorted" };
  if (isDisabled(element)) return { ...found, status: "disabled" };
  if (isMoving(shown, found.box, aim.last)) return { ...found, status: "moving" };
  const text = aim.at ?? aim.text;
  let point = freePoint(shown, pressed, text, false);
  if (!point && !aim.stays) {
    const bearer = (text !== undefined && spotOf(shown, text)?.element) || shown;
    reveal(bearer);
    point = freePoint(shown, pressed, text, true);
  }
  const needsNoPointer = isSet(element) || isKeyCatcher(element);
  if (!point && aim.typing && needsNoPointer) point = middleOf(shown);
  const box = boxOf(shown);
  if (point) {
    const others = matches.slice(0, 4).filter((other) => other !== element);
    const pointed = hasPointerMoved(element.ownerDocument.defaultView ?? window);
    const hovered = elementAt(point.x, point.y)?.matches(":hover") === true;
    const field = aim.typing && startTyping(found.ref, aim.typing.selectAll);
    const more = { pointed, hovered, others: others.map(describe), field };
    return { ...found, box, status: "ready", ...point, ...more };
  }
  const center = middleOf(shown);
  if (!center) return { ...found, box, status: "offscreen" };
  if (ignoresPointer(shown)) return { ...found, box, status: "disabled" };
  return { ...found, box, status: "covered", by: describeAt(center.x, center.y) ?? "nothing" };
};
