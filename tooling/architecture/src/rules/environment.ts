import { type Node, Visitor } from "oxc-parser";
import type { Rule } from "../repository";
import { isNamed, isProcess, keyOf, type SourceFile, takesFromProcess } from "../source";

/** Small programs that start often load no large `env.ts`: a supervisor's check, and the hook of a coding agent. */
const SMALL_ENVS = ["apps/api/src/cli/health/env.ts", "apps/device/src/hooks/env.ts"];
const isEnv = ({ path }: SourceFile) => path.endsWith("/src/env.ts") || SMALL_ENVS.includes(path);

const readsEnvironment = (source: SourceFile) =>
  source.isTest || source.isConfig || source.path.startsWith("tooling/") || isEnv(source);

/** A program reads its environment once, in an env.ts, where zod validates it. */
export const noEnvironmentOutsideEnv: Rule = (repository) =>
  repository.packages
    .flatMap(({ sources }) => sources)
    .filter((source) => !readsEnvironment(source))
    .flatMap((source) =>
      usesOfEnvironment(source).map(
        (node) => `${source.path}:${source.lineOf(node)}: process.env belongs in src/env.ts`,
      ),
    );

function usesOfEnvironment({ program }: SourceFile): Node[] {
  const uses: Node[] = [];
  const passedOn = new Set<Node>();
  new Visitor({
    // `{ ...process.env }` passes the whole environment on to a child and reads no variable of it.
    SpreadElement: ({ argument }) => void passedOn.add(argument),
    MemberExpression: (node) => {
      if (isProcess(node.object) && keyOf(node) === "env" && !passedOn.has(node)) uses.push(node);
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

/** Variables that package managers and shells set, not people. */
const unlistedNames = ["INIT_CWD", "PATH"];

/**
 * .env.example lists every variable that an env.ts names. A variant that ends with `_FILE` needs no line of its own.
 */
export const noUnlistedVariable: Rule = ({ packages, environmentExample }) =>
  packages
    .flatMap(({ sources }) => sources)
    .filter(isEnv)
    .flatMap(({ path, program }) => {
      const names = new Set<string>();
      new Visitor({
        Property: ({ key }) => {
          if (key.type === "Identifier" && /^[A-Z][A-Z0-9_]+$/.test(key.name))
            names.add(key.name.replace(/_FILE$/, ""));
        },
      }).visit(program);
      return [...names]
        .filter((name) => !unlistedNames.includes(name))
        .filter((name) => !new RegExp(`^#?${name}=`, "m").test(environmentExample))
        .map((name) => `${path}: ${name} is not in .env.example`);
    });
