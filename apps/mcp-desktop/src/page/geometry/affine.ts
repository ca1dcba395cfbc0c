export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A transform of points: x' = a x + c y + e, y' = b x + d y + f, as in CSS `matrix(a, b, c, d, e, f)`. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** The transform that changes nothing. */
export const identity = (): Affine => [1, 0, 0, 1, 0, 0];

export const apply = ([a, b, c, d, e, f]: Affine, { x, y }: Point): Point => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
});

/** The transform that applies `inner` first. */
export const compose = (outer: Affine, [a, b, c, d, e, f]: Affine): Affine => {
  const [oa, ob, oc, od] = outer;
  const at = apply(outer, { x: e, y: f });
  return [oa * a + oc * b, ob * a + od * b, oa * c + oc * d, ob * c + od * d, at.x, at.y];
};

export const inverse = ([a, b, c, d, e, f]: Affine): Affine => {
  const size = a * d - b * c;
  return [d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size];
};

/** The upright box around a transformed box. */
export const boxAround = (map: Affine, { x, y, width, height }: Box): Box => {
  const corners = [
    { x, y },
    { x: x + width, y },
    { x, y: y + height },
    { x: x + width, y: y + height },
  ].map((corner) => apply(map, corner));
  const xs = corners.map((corner) => corner.x);
  const ys = corners.map((corner) => corner.y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
};
