import { type Node, Visitor } from "oxc-parser";
import type { Rule } from "../repository";

const KEY_EVENTS = /^(onKey(Down|Up|Press)(Capture)?|key(down|up|press))$/;

/** In the console, a handler of keys comes from `onKeys`, which keeps the keys of input methods away from it. */
export const noKeyHandlerWithoutOnKeys: Rule = ({ packages }) =>
  packages
    .filter(({ dir }) => dir === "apps/web")
    .flatMap(({ sources }) => sources)
    .filter(({ path, isTest }) => path.startsWith("apps/web/src/") && !isTest)
    .flatMap(({ path, program, lineOf }) => {
      const keyHandlers = new Set<string>();
      const handlers: { node: Node; handler: Node | undefined }[] = [];
      new Visitor({
        VariableDeclarator: ({ id, init }) => {
          if (id.type === "Identifier" && isOnKeys(init)) keyHandlers.add(id.name);
        },
        JSXAttribute: (node) => {
          if (node.name.type !== "JSXIdentifier" || !KEY_EVENTS.test(node.name.name)) return;
          const { value } = node;
          handlers.push({
            node,
            handler: value?.type === "JSXExpressionContainer" ? value.expression : undefined,
          });
        },
        CallExpression: (node) => {
          const {
            callee,
            arguments: [event, handler],
          } = node;
          const name = callee.type === "MemberExpression" ? callee.property : callee;
          if (name.type !== "Identifier" || name.name !== "addEventListener") return;
          if (event?.type !== "Literal" || !KEY_EVENTS.test(String(event.value))) return;
          handlers.push({ node, handler });
        },
      }).visit(program);
      return handlers
        .filter(
          ({ handler }) =>
            !isOnKeys(handler) && !(handler?.type === "Identifier" && keyHandlers.has(handler.name)),
        )
        .map(
          ({ node }) => `${path}:${lineOf(node)}: make the handler of keys by onKeys of ui/inputMethod.ts`,
        );
    });

const isOnKeys = (node: Node | null | undefined): boolean =>
  node?.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "onKeys";
