import { Visitor } from "oxc-parser";
import type { Rule } from "../repository";

const keyUses = "apps/web/src/organization/keyUsages.ts";

/** An app calls the API through the client, since a call made by hand does not have the router's types. */
export const noHandMadeApiCall: Rule = (repository) => {
  const found: string[] = [];
  for (const { sources } of repository.packages)
    for (const { path, program, isTest, lineOf } of sources) {
      // The launcher and the page of a new key show the path in an example for people.
      if (isTest || path === keyUses || !/^apps\/(?!api\/|grove\/)/.test(path)) continue;
      const check = (node: Parameters<typeof lineOf>[0], text: unknown) => {
        if (typeof text === "string" && text.includes("api/trpc"))
          found.push(`${path}:${lineOf(node)}: the API is reached through packages/client`);
      };
      new Visitor({
        Literal: (node) => check(node, node.value),
        TemplateElement: (node) => check(node, node.value.raw),
      }).visit(program);
    }
  return found;
};
