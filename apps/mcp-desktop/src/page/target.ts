import type { Box } from "./dom";
import type { Field } from "./field";
import type { Query, Refusal } from "./find";
import type { InPage } from "./script";

export interface Aim extends Query {
  /** Which of the matches to use. */
  readonly index: number;
  /** Its box one frame ago. */
  readonly last?: Box | undefined;
  /** Loose matches of a text do not count yet. */
  readonly isPatient?: boolean;
  /** Does not bring it into view. */
  readonly stays?: boolean;
  /** The text to press at, if it is not the search text. */
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

export interface Targets {
  /** Finds, scrolls into view, measures and hit-tests in one go. `near` is only searched for with `explain`. */
  check(aim: Aim, explain: boolean): Check;
  /** A description of the element at a point. */
  describeAt(x: number, y: number): string | undefined;
  /** The window's inner width and height, and a description of the element at a point of it. */
  windowAt(x: number, y: number): [number, number, string | undefined];
  /** Resolves after `count` frames, or 50 ms for each one that is not drawn (in a hidden window). */
  frames(count: number): Promise<void>;
  /** Resolves after the timers that are due now. */
  turn(): Promise<void>;
}

export function installTargets(page: InPage): void {
  page.describeAt = (x, y) => {
    const element = page.hit(x, y);
    return element && page.describe(element);
  };

  page.windowAt = (x, y) => [innerWidth, innerHeight, page.describeAt(x, y)];

  const isAnimated = (element: Element): boolean => {
    const running = element.ownerDocument.getAnimations().filter(({ playState }) => playState === "running");
    return running.some((animation) => {
      const target = (animation.effect as KeyframeEffect | null)?.target;
      return target && page.contains(target, element);
    });
  };

  const differs = (a: Box, b: Box) =>
    (["x", "y", "width", "height"] as const).some((side) => Math.abs(a[side] - b[side]) > 0.5);

  page.check = (aim, explain) => {
    const matches = page.find(aim);
    if (!Array.isArray(matches)) return { status: "refused", count: 0, refusal: matches };
    const { text: wanted, isPatient } = aim;
    const isLoose = (match: Element) => wanted !== undefined && page.isLoose(match, wanted);
    const element = matches[aim.index];
    if (!element || (isPatient && isLoose(element))) {
      const near = explain ? page.nearest(aim) : [];
      const count = isPatient ? matches.filter((match) => !isLoose(match)).length : matches.length;
      const select = explain && wanted !== undefined ? page.selectWith(wanted) : undefined;
      return { status: "missing", count, near, select };
    }
    const shown = page.shownBy(element);
    const pressed = page.isEditor(element) ? shown : element;
    const found = {
      count: matches.length,
      ref: page.refOf(element),
      tag: page.tagOf(element),
      description: page.describe(element),
      isLoose: isLoose(element),
      box: page.boxOf(shown),
    };
    // Files are chosen without the pointer.
    if (aim.typing && element.matches("input[type=file]") && !page.isDisabled(element)) {
      const field = page.startTyping(found.ref, false);
      const at = page.middleOf(shown) ?? { x: 0, y: 0 };
      return { ...found, status: "ready", ...at, pointed: true, hovered: true, others: [], field };
    }
    if (!page.hasBox(shown)) return { ...found, status: "hidden" };
    if (!page.isCertain(element.ownerDocument)) return { ...found, status: "distorted" };
    if (page.isDisabled(element)) return { ...found, status: "disabled" };
    if (aim.last ? differs(aim.last, found.box) : isAnimated(shown)) return { ...found, status: "moving" };
    const text = aim.at ?? aim.text;
    let point = page.freePoint(shown, pressed, text, false);
    if (!point && !aim.stays) {
      const bearer = (text !== undefined && page.spotOf(shown, text)?.element) || shown;
      page.reveal(bearer);
      point = page.freePoint(shown, pressed, text, true);
    }
    const needsNoPointer = page.isSet(element) || page.isKeyCatcher(element);
    if (!point && aim.typing && needsNoPointer) point = page.middleOf(shown);
    const box = page.boxOf(shown);
    if (point) {
      const others = matches.slice(0, 4).filter((other) => other !== element);
      const pointed = pointerCame(element.ownerDocument.defaultView ?? window);
      const hovered = page.hit(point.x, point.y)?.matches(":hover") === true;
      const field = aim.typing && page.startTyping(found.ref, aim.typing.selectAll);
      const more = { pointed, hovered, others: others.map(page.describe), field };
      return { ...found, box, status: "ready", ...point, ...more };
    }
    const center = page.middleOf(shown);
    if (!center) return { ...found, box, status: "offscreen" };
    return { ...found, box, status: "covered", by: page.describeAt(center.x, center.y) ?? "nothing" };
  };

  const watched = new WeakSet<Window>();
  let moved = false;
  const pointerCame = (view: Window): boolean => {
    if (!watched.has(view)) {
      watched.add(view);
      const see = () => {
        moved = true;
      };
      view.addEventListener("mousemove", see, { capture: true, passive: true });
    }
    const came = moved;
    moved = false;
    return came;
  };

  page.turn = () =>
    new Promise((resolve) => {
      setTimeout(resolve);
    });

  page.frames = async (count) => {
    for (let left = count; left > 0; left--)
      await new Promise<void>((resolve) => {
        requestAnimationFrame(() => resolve());
        setTimeout(resolve, 50);
      });
  };
}
