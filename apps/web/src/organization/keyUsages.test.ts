import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { keyUsages } from "./keyUsages";

const readme = readFileSync(new URL("../../../mcp-cloud/README.md", import.meta.url), "utf8");
const access = { apiUrl: "http://127.0.0.1:3000", key: "grk_..." };

/** The README writes short objects on one line. */
const dense = (text: string) => text.replaceAll(/\s+/g, "");

it.each(Object.values(keyUsages).filter(({ title }) => title !== "curl"))(
  "shows the same block as the README for $title",
  (use) => {
    expect(dense(readme)).toContain(dense(use.text(access)));
  },
);
