import type { Area } from "./clip";
import type { Box } from "./dom";
import type { Query } from "./find";
import type { InPage } from "./script";
import type { Showing } from "./transform";

interface Point {
  readonly x: number;
  readonly y: number;
}

/** How the outer document of a frame shows the frame's document. */
export interface FramePlace extends Showing {
  /** The part of it that is on screen, in the outer document. */
  readonly view: Area;
  /** A description of the element that covers it at the point in question. */
  readonly coveredBy?: string | undefined;
}

export interface Places {
  /**
   * @param scrolls whether the frame is brought into view first
   * @param point the point of the frame's document in question; by default the middle of the frame
   */
  frameBox(frame: Element, scrolls: boolean, point?: Point): FramePlace;
  /** Scrolls the first visible match into view and measures it; undefined without a match. */
  show(query: Query): Box | undefined;
}

export function installPlaces(page: InPage): void {
  page.frameBox = (frame, scrolls, point) => {
    const isIn = ({ x, y, width, height }: Box) =>
      x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight;
    if (scrolls && !isIn(page.boxOf(frame)))
      frame.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = page.boxOf(frame);
    const { map: inner, isCertain } = page.showing(frame);
    const map = page.compose(page.mapOf(frame.ownerDocument), inner);
    const { x, y } = point ? page.apply(map, point) : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const covering = page.hit(x, y);
    return {
      map,
      isCertain: isCertain && page.isCertain(frame.ownerDocument),
      view: page.clips(page.viewport())(frame),
      ...(covering && covering !== frame && { coveredBy: page.describe(covering) }),
    };
  };

  page.show = (query) => {
    const matches = page.find(query);
    const element = Array.isArray(matches) ? matches.find(page.isVisible) : undefined;
    if (!element || !page.isCertain(element.ownerDocument)) return undefined;
    const { x, y, width, height } = page.boxOf(element);
    if (x < 0 || y < 0 || x + width > innerWidth || y + height > innerHeight) page.reveal(element);
    return page.boxOf(element);
  };
}
