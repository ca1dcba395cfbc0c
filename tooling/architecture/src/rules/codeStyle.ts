import {
  type JSXSpreadAttribute,
  type MethodDefinition,
  type Node,
  type PropertyDefinition,
  type SpreadElement,
  Visitor,
} from "oxc-parser";
import type { Rule } from "../repository";
import { isNamed } from "../source";

/** A docstring names the type of what a function throws: `@throws {GroveError} NOT_FOUND for an unknown id`. */
export const noThrowsWithoutType: Rule = ({ packages }) =>
  packages
    .flatMap(({ sources }) => sources)
    .flatMap(({ path, comments }) =>
      comments
        .filter(({ text }) => /@throws\b(?! \{\w+\})/.test(text))
        .map(({ line }) => `${path}:${line}: after @throws comes a type in braces`),
    );

/** A module's number is a constant by its name: `MAX_BATCH`. Tests may name theirs as they like. */
export const noCamelCaseNumber: Rule = ({ packages }) =>
  packages
    .flatMap(({ sources }) => sources)
    .filter(({ isTest }) => !isTest)
    .flatMap(({ path, program, lineOf }) =>
      program.body
        .map((node) => (node.type === "ExportNamedDeclaration" ? node.declaration : node))
        .flatMap((node) =>
          node?.type === "VariableDeclaration" && node.kind === "const" ? node.declarations : [],
        )
        .filter(({ id, init }) => id.type === "Identifier" && /[a-z]/.test(id.name) && isNumber(init))
        .map((node) => `${path}:${lineOf(node)}: a module's number is named in CONSTANT_CASE`),
    );

const isNumber = (node: Node | null): boolean =>
  node?.type === "BinaryExpression"
    ? isNumber(node.left) && isNumber(node.right)
    : node?.type === "UnaryExpression"
      ? isNumber(node.argument)
      : node?.type === "Literal" && (typeof node.value === "number" || typeof node.value === "bigint");

/** The timer that resolves is called `sleep` everywhere. */
export const noSleepByAnotherName: Rule = ({ packages }) =>
  packages
    .flatMap(({ sources }) => sources)
    .flatMap(({ path, program, lineOf }) => {
      const found: string[] = [];
      new Visitor({
        ImportDeclaration: ({ source, specifiers }) => {
          if (source.value !== "node:timers/promises") return;
          for (const one of specifiers)
            if (
              one.type === "ImportSpecifier" &&
              isNamed(one.imported, "setTimeout") &&
              one.local.name !== "sleep"
            )
              found.push(`${path}:${lineOf(one)}: write \`import { setTimeout as sleep }\``);
        },
      }).visit(program);
      return found;
    });

/** A private member is named `#x`. Only a constructor can be `private`, as it has no other name. */
export const noPrivateModifier: Rule = ({ packages }) =>
  packages
    .flatMap(({ sources }) => sources)
    .flatMap(({ path, program, lineOf }) => {
      const found: string[] = [];
      const check = (node: PropertyDefinition | MethodDefinition) => {
        if (!node.accessibility || (node.type === "MethodDefinition" && node.kind === "constructor")) return;
        found.push(`${path}:${lineOf(node)}: name the member #x instead of making it ${node.accessibility}`);
      };
      new Visitor({ PropertyDefinition: check, MethodDefinition: check }).visit(program);
      return found;
    });

/** A file with one exported class, errors aside, is named after it, or its plural. */
export const noClassOutsideItsFile: Rule = ({ packages }) =>
  packages
    .flatMap(({ sources }) => sources)
    .filter(({ path, isTest }) => !isTest && !path.startsWith("tooling/"))
    .flatMap(({ path, program }) => {
      const [name, ...others] = program.body.flatMap((node) =>
        node.type === "ExportNamedDeclaration" &&
        node.declaration?.type === "ClassDeclaration" &&
        node.declaration.superClass === null
          ? (node.declaration.id?.name ?? [])
          : [],
      );
      const file = /(\w+)\.\w+$/.exec(path)?.[1];
      if (name === undefined || others.length > 0 || !file) return [];
      return [name, `${name}s`].some((each) => each.toLowerCase() === file.toLowerCase())
        ? []
        : [`${path}: name the file as its class ${name}`];
    });

/** An object lists its properties itself: spreading a literal only keeps several of them on a line. */
export const noSpreadOfLiteral: Rule = ({ packages }) =>
  packages
    .flatMap(({ sources }) => sources)
    .flatMap(({ path, program, lineOf }) => {
      const found: string[] = [];
      const check = (node: SpreadElement | JSXSpreadAttribute) => {
        if (node.argument.type !== "ObjectExpression") return;
        found.push(`${path}:${lineOf(node)}: write the properties without spreading a literal`);
      };
      new Visitor({
        ObjectExpression: ({ properties }) => {
          for (const one of properties) if (one.type === "SpreadElement") check(one);
        },
        JSXSpreadAttribute: check,
      }).visit(program);
      return found;
    });
