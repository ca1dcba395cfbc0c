import { readFile, writeFile } from "node:fs/promises";
import { parseAst } from "rollup/parseAst";

/**
 * Wraps the computations of a module's constants, so that a bundler may leave out unused ones. A bundler cannot know by
 * itself that a call, such as zod's, has no side effects. Only for modules without side effects.
 * @param {string} file
 */
export async function makeShakable(file) {
  let code = await readFile(file, "utf8");
  const constants = parseAst(code).body.flatMap((node) =>
    node.type === "VariableDeclaration" ? node.declarations.map(({ init }) => init) : [],
  );
  // From the last to the first, so that the positions of the earlier ones stay valid.
  for (const init of constants.toReversed()) {
    if (!init || isPlain(init.type)) continue;
    const { start, end } = /** @type {{ start: number, end: number }} */ (/** @type {unknown} */ (init));
    code = `${code.slice(0, start)}/* @__PURE__ */ (() => (${code.slice(start, end)}))()${code.slice(end)}`;
  }
  await writeFile(file, code);
}

/** @param {string} type */
const isPlain = (type) => /^(Literal|Identifier|ArrowFunctionExpression|FunctionExpression)$/.test(type);
