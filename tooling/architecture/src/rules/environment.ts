import { type Node, Visitor } from "oxc-parser";
import type { Rule } from "../house";
import { isNamed, isProcess, keyOf, type SourceFile, takesFromProcess } from "../source";

const readsEnvironment = ({ path, isTest, isConfig }: SourceFile) =>
  isTest || isConfig || path.startsWith("tooling/") || path.endsWith("/src/env.ts");

/** A program reads its environment once, in env.ts, where zod validates it. */
export const environmentOnlyInEnv: Rule = (house) =>
  house.packages
    .flatMap(({ sources }) => sources)
    .filter((source) => !readsEnvironment(source))
    .flatMap((source) =>
      usesOfEnvironment(source).map(
        (node) => `${source.path}:${source.lineOf(node)}: process.env belongs into src/env.ts`,
      ),
    );

function usesOfEnvironment({ program }: SourceFile): Node[] {
  const uses: Node[] = [];
  const handedOn = new Set<Node>();
  new Visitor({
    // `{ ...process.env }` hands the whole environment on to a child and reads no variable of it.
    SpreadElement: ({ argument }) => void handedOn.add(argument),
    MemberExpression: (node) => {
      if (isProcess(node.object) && keyOf(node) === "env" && !handedOn.has(node)) uses.push(node);
    },
    VariableDeclarator: ({ id, init }) => {
      if (isNamed(init, "process") && id.type === "ObjectPattern") uses.push(id);
    },
    ImportDeclaration: (node) => {
      if (takesFromProcess(node, "env")) uses.push(node);
    },
  }).visit(program);
  return uses;
}
