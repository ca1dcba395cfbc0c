import { Visitor } from "oxc-parser";
import type { Rule } from "../repository";
import type { SourceFile } from "../source";

const REGISTRY = "tooling/architecture/src/contract.ts";
const CITATION = /^Contract: (.+)$/m;

/** Each statement of the contract is cited by a test, and no test cites a statement that does not exist. */
export const noStatementWithoutTest: Rule = ({ packages }) => {
  const sources = packages.flatMap((one) => one.sources);
  const registry = sources.find(({ path }) => path === REGISTRY);
  const knownIds = new Set(registry ? idsOf(registry) : []);
  const cited = sources
    .filter(({ isTest }) => isTest)
    .flatMap(({ path, comments }) =>
      comments.flatMap(({ text, line }) => {
        const [, ids] = CITATION.exec(text) ?? [];
        return ids ? ids.split(", ").map((id) => ({ id, place: `${path}:${line}` })) : [];
      }),
    );
  const proven = new Set(cited.map(({ id }) => id));
  return [
    ...cited
      .filter(({ id }) => !knownIds.has(id))
      .map(({ id, place }) => `${place}: the contract has no statement ${id}`),
    ...[...knownIds].filter((id) => !proven.has(id)).map((id) => `${REGISTRY}: no test cites ${id}`),
  ];
};

/** The values of all properties `id`. */
function idsOf({ program }: SourceFile): string[] {
  const ids: string[] = [];
  new Visitor({
    Property: ({ key, value }) => {
      if (key.type !== "Identifier" || key.name !== "id" || value.type !== "Literal") return;
      if (typeof value.value === "string") ids.push(value.value);
    },
  }).visit(program);
  return ids;
}
