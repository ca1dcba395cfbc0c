import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
const colors = [...css.matchAll(/--color-([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)];
const tokens = new Map(colors.map(([, name = "", light = "", dark = ""]) => [name, { light, dark }]));

/** The relative luminance of a colour (WCAG 2.2): from 0, black, to 1, white. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string, theme: "light" | "dark"): number {
  const [a, b] = [one, other].map((name) => {
    const color = tokens.get(name);
    if (!color) throw new Error(`There is no colour ${name}.`);
    return luminance(color[theme]) + 0.05;
  }) as [number, number];
  return Math.max(a, b) / Math.min(a, b);
}

const planes = ["ground", "surface", "raised", "hover"];
const onAll = (color: string) => planes.map((plane) => [color, plane] as const);
/** Text colours, each with its background. */
const texts = [
  ...["ink", "muted", "accent", "danger", "warn"].flatMap(onAll),
  ["ink", "accent-soft"],
  ["accent", "accent-soft"],
  ["on-accent", "accent"],
  ["danger", "danger-soft"],
  ["ink", "danger-soft"],
  ["on-danger", "danger"],
  ["warn", "warn-soft"],
  ["ink", "warn-soft"],
  ["ink", "terminal"],
] as const;
/** Colours of field borders, icons and the focus ring. */
const parts = ["edge", "accent"].flatMap(onAll);

/** The minimum contrasts of WCAG 2.2: 4.5 for text (1.4.3), 3 for parts of controls (1.4.11). */
describe.each(["light", "dark"] as const)("the %s theme", (theme) => {
  it.each(texts)("shows the text %s on %s", (text, behind) => {
    expect(contrast(text, behind, theme)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(parts)("shows the part %s on %s", (part, behind) => {
    expect(contrast(part, behind, theme)).toBeGreaterThanOrEqual(3);
  });
});
