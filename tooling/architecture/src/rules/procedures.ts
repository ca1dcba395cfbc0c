import { Visitor } from "oxc-parser";
import type { Rule } from "../repository";
import { keyOf } from "../source";

const procedures = /^apps\/api\/src\/\w+\/procedures\//;
/** Kysely's methods that begin or run a statement or a transaction. */
const methods =
  /^(transaction|select(From|NoFrom)|insertInto|updateTable|deleteFrom|mergeInto|execute(TakeFirst(OrThrow)?)?)$/;
/** Modules for statements. */
const modules = /^kysely$|\/lib\/pagination$/;

/**
 * Forbids SQL statements in procedures. A procedure declares its guard, input and output, and calls one function of its
 * noun, which runs the statements.
 */
export const noStatementInProcedure: Rule = (repository) =>
  repository.packages
    .flatMap((owner) => owner.sources)
    .filter(({ path, isTest }) => procedures.test(path) && !isTest)
    .flatMap(({ path, program, imports, lineOf }) => {
      const lines = new Set(
        imports.filter(({ specifier }) => modules.test(specifier)).map(({ line }) => line),
      );
      new Visitor({
        MemberExpression: (node) => {
          if (methods.test(keyOf(node) ?? "")) lines.add(lineOf(node.property));
        },
      }).visit(program);
      return [...lines].map(
        (line) =>
          `${path}:${line}: a procedure has no SQL statement and no transaction: move it into a function of the noun, beside procedures/`,
      );
    });
