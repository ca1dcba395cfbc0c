import type { Area } from "./clip";
import type { Box } from "./dom";
import type { Query } from "./find";
import type { InPage } from "./script";

/** The place of a frame in the window of its outer document. */
export interface FramePlace {
  /** The position of its document. */
  readonly x: number;
  readonly y: number;
  /** The part of it that is on screen. */
  readonly view: Area;
  /** A description of the element that covers its middle. */
  readonly coveredBy?: string | undefined;
}

export interface Places {
  /** @param scrolls whether the frame is brought into view first */
  frameBox(frame: Element, scrolls: boolean): FramePlace;
  /** Scrolls the first visible match into view and measures it; undefined without a match. */
  show(query: Query): Box | undefined;
}

export function installPlaces(page: InPage): void {
  page.frameBox = (frame, scrolls) => {
    const isIn = ({ x, y, width, height }: Box) =>
      x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight;
    if (scrolls && !isIn(page.boxOf(frame)))
      frame.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = page.boxOf(frame);
    const style = getComputedStyle(frame);
    const covering = page.hit(box.x + box.width / 2, box.y + box.height / 2);
    return {
      x: box.x + frame.clientLeft + Number.parseFloat(style.paddingLeft),
      y: box.y + frame.clientTop + Number.parseFloat(style.paddingTop),
      view: page.clips(page.viewport())(frame),
      ...(covering && covering !== frame && { coveredBy: page.describe(covering) }),
    };
  };

  page.show = (query) => {
    const matches = page.find(query);
    const element = Array.isArray(matches) ? matches.find(page.isVisible) : undefined;
    if (!element) return undefined;
    const { x, y, width, height } = page.boxOf(element);
    if (x < 0 || y < 0 || x + width > innerWidth || y + height > innerHeight)
      element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    return page.boxOf(element);
  };
}
