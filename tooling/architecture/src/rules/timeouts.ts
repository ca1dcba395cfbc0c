import { Visitor } from "oxc-parser";
import type { Rule } from "../repository";
import { isNamed, keyOf } from "../source";

/**
 * Time limits are `timeoutSignal` of packages/signals. Node 20 collects an AbortSignal.timeout to which only
 * AbortSignal.any refers, and it is then never aborted. A function that combines signals cannot see which ones it was
 * given.
 */
export const noTimeoutSignal: Rule = (repository) => {
  const found: string[] = [];
  for (const { folder, sources } of repository.packages)
    for (const source of sources) {
      if (source.isTest || folder === "tooling") continue;
      new Visitor({
        MemberExpression: (node) => {
          if (isNamed(node.object, "AbortSignal") && keyOf(node) === "timeout")
            found.push(
              `${source.path}:${source.lineOf(node)}: AbortSignal.timeout may never fire; use timeoutSignal of packages/signals`,
            );
        },
      }).visit(source.program);
    }
  return found;
};
