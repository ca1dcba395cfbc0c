import { resolve } from "node:path";
import { rollup } from "rollup";
import { expect, it } from "vitest";

/** Bundles a module, without zod. */
async function bundle(source: string): Promise<string> {
  const bundled = await rollup({
    input: "entry",
    external: "zod",
    plugins: [
      {
        name: "entry",
        resolveId: (id) =>
          id === "entry"
            ? id
            : id === "@grove/schemas"
              ? resolve(import.meta.dirname, "../dist/index.js")
              : null,
        load: (id) => (id === "entry" ? source : null),
      },
    ],
  });
  const { output } = await bundled.generate({});
  return output[0].code;
}

it("adds only one enum to a bundle that uses only that enum", async () => {
  const one = await bundle(
    'import { taskPriority } from "@grove/schemas"; console.log(taskPriority.options);',
  );
  expect(one).toContain('"urgent"');
  expect(one.length).toBeLessThan(300);
});

it("adds everything to a bundle that uses everything", async () => {
  const all = await bundle('export * from "@grove/schemas";');
  expect(all.length).toBeGreaterThan(20_000);
});
