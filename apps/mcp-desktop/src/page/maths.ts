import type { Box } from "./dom";

/** A transform of points: x' = a x + c y + e, y' = b x + d y + f, as in CSS `matrix(a, b, c, d, e, f)`. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Pure functions, for the page and for the server. */
export interface Maths {
  /** The transform that changes nothing. */
  identity(): Affine;
  apply(map: Affine, point: Point): Point;
  /** The transform that applies `inner` first. */
  compose(outer: Affine, inner: Affine): Affine;
  inverse(map: Affine): Affine;
  /** The upright box around a transformed box. */
  boxAround(map: Affine, box: Box): Box;
}

export function installMaths(maths: { -readonly [K in keyof Maths]: Maths[K] }): void {
  maths.identity = () => [1, 0, 0, 1, 0, 0];

  maths.apply = ([a, b, c, d, e, f], { x, y }) => ({ x: a * x + c * y + e, y: b * x + d * y + f });

  maths.compose = (outer, [a, b, c, d, e, f]) => {
    const [oa, ob, oc, od] = outer;
    const at = maths.apply(outer, { x: e, y: f });
    return [oa * a + oc * b, ob * a + od * b, oa * c + oc * d, ob * c + od * d, at.x, at.y];
  };

  maths.inverse = ([a, b, c, d, e, f]) => {
    const size = a * d - b * c;
    return [d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size];
  };

  maths.boxAround = (map, { x, y, width, height }) => {
    const corners = [
      { x, y },
      { x: x + width, y },
      { x, y: y + height },
      { x: x + width, y: y + height },
    ].map((corner) => maths.apply(map, corner));
    const xs = corners.map((corner) => corner.x);
    const ys = corners.map((corner) => corner.y);
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
  };
}
