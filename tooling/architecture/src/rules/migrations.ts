import { Visitor } from "oxc-parser";
import type { Rule } from "../repository";

const folder = "packages/db/src/migrations/";
/** The parts of a statement that may break the previous release, which still runs. */
const contractions =
  /\b(drop (table|column)|rename (to|column|constraint)|set not null|alter column \w+ (set data )?type|drop default)\b/i;
const namesRelease = (path: string) => /_needs_\d+_\d+_\d+\.ts$/.test(path);

/**
 * A migration only adds, so that the release before it still works. A migration that removes something comes a release
 * later and names the oldest release that works with the result: `0030_drop_kind_needs_1_4_0.ts`.
 */
export const noContractionWithoutRelease: Rule = (repository) =>
  repository.packages
    .flatMap(({ sources }) => sources)
    .filter(({ path }) => path.startsWith(folder) && /\/\d{4}_\w+\.ts$/.test(path) && !namesRelease(path))
    .flatMap(({ path, program, lineOf }) => {
      const found: string[] = [];
      const check = (node: Parameters<typeof lineOf>[0], text: string) => {
        const [words] = contractions.exec(text) ?? [];
        if (words !== undefined)
          found.push(
            `${path}:${lineOf(node)}: "${words}" takes away what the release before needs: end the name with _needs_<release>`,
          );
      };
      new Visitor({
        Literal: (node) => typeof node.value === "string" && check(node, node.value),
        TemplateElement: (node) => check(node, node.value.raw),
      }).visit(program);
      return found;
    });
