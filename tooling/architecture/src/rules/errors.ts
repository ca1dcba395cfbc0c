import { type Node, Visitor } from "oxc-parser";
import type { Rule } from "../repository";
import { isNamed } from "../source";

/** Any value may be thrown, so code must check that a caught value is an error. */
export const noErrorCast: Rule = ({ packages }) =>
  packages
    .flatMap(({ sources }) => sources)
    .flatMap(({ path, program, lineOf }) => {
      const found: string[] = [];
      new Visitor({
        TSAsExpression: (node) => {
          if (!namesError(node.typeAnnotation)) return;
          found.push(`${path}:${lineOf(node)}: use messageOf or toError of packages/schemas, or instanceof`);
        },
      }).visit(program);
      return found;
    });

/** `Error`, and `Error & { stderr: string }` */
const namesError = (type: Node): boolean =>
  type.type === "TSIntersectionType"
    ? type.types.some(namesError)
    : type.type === "TSTypeReference" && isNamed(type.typeName, "Error");
