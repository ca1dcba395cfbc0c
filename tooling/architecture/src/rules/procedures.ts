import { Visitor } from "oxc-parser";
import type { Rule } from "../repository";
import { keyOf } from "../source";

const procedures = /^apps\/api\/src\/\w+\/procedures\//;

/** A procedure is its guard, its input, its output and a call of a function of its noun, which has the transaction. */
export const noTransactionInProcedure: Rule = (repository) =>
  repository.packages
    .flatMap((owner) => owner.sources)
    .filter(({ path, isTest }) => procedures.test(path) && !isTest)
    .flatMap(({ path, program, lineOf }) => {
      const found: string[] = [];
      new Visitor({
        MemberExpression: (node) => {
          if (keyOf(node) !== "transaction") return;
          found.push(
            `${path}:${lineOf(node.property)}: a procedure has no transaction: move it into a function of the noun, beside procedures/`,
          );
        },
      }).visit(program);
      return found;
    });
