import { GroveError, type SessionPrincipal } from "@grove/auth";
import { type Database, type NotificationRuleTable, newId } from "@grove/db";
import type { NotificationRule, NotificationRuleInput } from "@grove/schemas";
import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { queryInTimeZone } from "../analytics/timeRange";
import { findConnection } from "../integrations/connections";
import type { MemberKey } from "../organizations/row";
import { notificationRuleIdentity } from "../secrets/identities";
import type { Services } from "../services";
import { requirePublic } from "./pushHosts";

type RuleRow = Selectable<NotificationRuleTable>;

const toNotificationRule = (row: RuleRow): NotificationRule => ({
  id: row.id,
  channel: row.channel,
  target: row.target,
  kinds: row.kinds,
  scope: row.scope,
  projectIds: row.project_ids,
  quietFrom: row.quiet_from?.slice(0, 5) ?? null,
  quietTo: row.quiet_to?.slice(0, 5) ?? null,
  timeZone: row.time_zone,
  afterSeconds: row.after_seconds,
  showText: row.show_text,
});

const rulesOf = (db: Kysely<Database>, { organizationId, userId }: MemberKey) =>
  db
    .selectFrom("notification_rules")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .orderBy("id");

/** Lists a member's own rules, oldest first. */
export async function listRules(db: Kysely<Database>, key: MemberKey): Promise<NotificationRule[]> {
  return (await rulesOf(db, key).execute()).map(toNotificationRule);
}

/**
 * Replaces a member's own rules. Pending notifications of removed rules are not sent.
 * @throws {GroveError} NOT_FOUND for an id of no rule of the member, or for an unknown connection; BAD_REQUEST
 * `base_url_refused`, `unknown_time_zone`
 */
export function setRules(
  services: Pick<Services, "database" | "integrations" | "vault">,
  principal: SessionPrincipal,
  { organizationId, rules }: { organizationId: string; rules: readonly NotificationRuleInput[] },
): Promise<NotificationRule[]> {
  const key = { organizationId, userId: principal.user.id };
  return services.database.db.transaction().execute(async (trx) => {
    const earlier = new Map((await rulesOf(trx, key).forUpdate().execute()).map((row) => [row.id, row]));
    const rows: RuleRow[] = [];
    for (const rule of rules) rows.push(await toRow(services, trx, key, rule, earlier));
    const ids = rows.map(({ id }) => id);
    await trx
      .deleteFrom("notification_rules")
      .where("organization_id", "=", organizationId)
      .where("user_id", "=", key.userId)
      .where(sql<boolean>`id <> all(${ids}::uuid[])`)
      .execute();
    for (const { created_at: _, ...row } of rows)
      await trx
        .insertInto("notification_rules")
        .values(row)
        .onConflict((conflict) => conflict.columns(["organization_id", "id"]).doUpdateSet(row))
        .execute();
    return listRules(trx, key);
  });
}

async function toRow(
  services: Pick<Services, "integrations" | "vault">,
  trx: Transaction<Database>,
  { organizationId, userId }: MemberKey,
  rule: NotificationRuleInput,
  earlier: ReadonlyMap<string, RuleRow>,
): Promise<RuleRow> {
  const known = rule.id === undefined ? undefined : earlier.get(rule.id);
  if (rule.id !== undefined && known?.channel !== rule.channel) throw ruleNotFound(rule.id);
  // An unknown zone would fail each later statement that reads the rule.
  await queryInTimeZone(rule.timeZone, trx, sql`select now() at time zone ${rule.timeZone} as local`);
  const id = known?.id ?? newId();
  return {
    organization_id: organizationId,
    id,
    user_id: userId,
    channel: rule.channel,
    ...(await resolveTarget(services, trx, organizationId, { ...rule, id }, known)),
    kinds: rule.kinds,
    scope: rule.scope,
    project_ids: rule.projectIds,
    quiet_from: rule.quietFrom,
    quiet_to: rule.quietTo,
    time_zone: rule.timeZone,
    after_seconds: rule.afterSeconds,
    show_text: rule.showText,
    created_at: known?.created_at ?? "",
  };
}

/** Returns the sealed target and its display text. Without a new target, the stored one is kept. */
async function resolveTarget(
  services: Pick<Services, "integrations" | "vault">,
  trx: Transaction<Database>,
  organizationId: string,
  rule: NotificationRuleInput & { id: string },
  known: RuleRow | undefined,
): Promise<Pick<RuleRow, "sealed" | "target">> {
  if (rule.channel === "push") return { sealed: null, target: null };
  if (rule.target === undefined && known) return { sealed: known.sealed, target: known.target };
  if (rule.target === undefined)
    throw new GroveError("BAD_REQUEST", "A new rule of this channel needs a target.", {
      details: { missing: "target" },
    });
  const identity = notificationRuleIdentity({ organization_id: organizationId, id: rule.id });
  const sealed = services.vault.seal(JSON.stringify(rule.target), identity);
  if (rule.channel === "messenger") {
    await findConnection(trx, "messenger", { organizationId, connectionId: rule.target.connectionId });
    return { sealed, target: rule.target.channel };
  }
  requirePublic(services, rule.target.url);
  return { sealed, target: new URL(rule.target.url).host };
}

export const ruleNotFound = (id: string) =>
  new GroveError("NOT_FOUND", `You have no notification rule ${id} with this channel.`, {
    details: { missing: "notification rule" },
  });
