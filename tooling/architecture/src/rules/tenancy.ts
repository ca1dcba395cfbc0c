import { type CallExpression, type Node, Visitor } from "oxc-parser";
import type { Repository, Rule } from "../repository";
import { keyOf } from "../source";

const builders = ["selectFrom", "updateTable", "deleteFrom"];

/** The tables that these files query across organizations. */
const acrossOrganizations: Record<string, readonly string[]> = {
  // Counts and work of the whole instance.
  "apps/api/src/admin/stats.ts": ["device_commands"],
  "apps/api/src/changes/merges/intents.ts": ["merge_intents"],
  "apps/api/src/metrics/databaseGauges.ts": ["devices"],
  // Rows that are found by a secret, or by an address that contains their id.
  "apps/api/src/devices/finishPairing.ts": ["device_pairings"],
  "apps/api/src/devices/pairings.ts": ["device_pairings"],
  "apps/api/src/integrations/authorize.ts": ["integration_oauth_states"],
  "apps/api/src/webhooks/refusedDeliveries.ts": ["integration_webhooks"],
  // A person's own rows in all organizations.
  "apps/api/src/organizations/members.ts": ["memberships"],
  "apps/api/src/signIn/signUpPolicy.ts": ["invitations"],
  // Ids that clients choose. Such an id may already exist in another organization.
  "apps/api/src/reviews/comments.ts": ["review_comments"],
  "apps/api/src/workspaces/ensure.ts": ["workspace_tombstones"],
};

/** A query on a table that has the column `organization_id` names an organization, so that it never leaves it. */
export const noQueryAcrossOrganizations: Rule = (repository) => {
  const tables = tenantTables(repository);
  const found: string[] = [];
  const sources = repository.packages
    .filter(({ dir }) => dir === "apps/api")
    .flatMap((owner) => owner.sources)
    .filter(({ isTest }) => !isTest);
  for (const { path, program, lineOf } of sources) {
    /** Calls whose result another call continues. */
    const continued = new Set<Node>();
    new Visitor({
      CallExpression: (query) => {
        const chain = chainOf(query);
        for (const call of chain.slice(1)) continued.add(call);
        if (continued.has(query)) return;
        const begin = chain.find(
          ({ callee }) => callee.type === "MemberExpression" && builders.includes(String(keyOf(callee))),
        );
        const table = begin && tableOf(begin);
        if (table === undefined || !tables.has(table) || acrossOrganizations[path]?.includes(table)) return;
        if (!/organization/i.test(JSON.stringify(query)))
          found.push(`${path}:${lineOf(query)}: this query on ${table} names no organization_id`);
      },
    }).visit(program);
  }
  return found;
};

/** A call, and the calls whose results it continues: `c`, `b` and `a` of `a().b().c()`. */
function chainOf(query: CallExpression): CallExpression[] {
  const chain = [query];
  for (let call: CallExpression = query; ; ) {
    const { callee } = call;
    if (callee.type !== "MemberExpression" || callee.object.type !== "CallExpression") return chain;
    call = callee.object;
    chain.push(call);
  }
}

/** The table of `selectFrom("table as alias")`. */
function tableOf({ arguments: [first] }: CallExpression): string | undefined {
  const name = first?.type === "Literal" && typeof first.value === "string" ? first.value : undefined;
  return name?.split(" ")[0];
}

function tenantTables({ packages }: Repository): Set<string> {
  const tables = new Set<string>();
  const migrations = packages
    .flatMap(({ sources }) => sources)
    .filter(({ path }) => path.startsWith("packages/db/src/migrations/"));
  for (const { program } of migrations)
    new Visitor({
      TemplateElement: ({ value }) => {
        const [, table] = /create table (\w+) \([\s\S]*\borganization_id uuid/.exec(value.cooked ?? "") ?? [];
        if (table !== undefined) tables.add(table);
      },
    }).visit(program);
  return tables;
}
