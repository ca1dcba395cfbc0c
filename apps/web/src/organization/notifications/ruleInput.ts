import type { Inputs } from "@grove/client";
import {
  type NotificationChannel,
  type NotificationKind,
  type NotificationRule,
  notificationKind,
} from "@grove/schemas";
import type { TextOf } from "../../ui/form";

type RuleInput = Inputs["user"]["setNotificationRules"]["rules"][number];

/** The rule with which a user begins. */
const DEFAULT_KINDS: readonly NotificationKind[] = [
  "needs_input",
  "limited",
  "failed",
  "checks_failed",
  "merged",
  "blocked",
];

/** Whether the form's checkbox of a kind is checked at first. */
export const startsChecked = (rule: NotificationRule | undefined, kind: NotificationKind): boolean =>
  (rule?.kinds ?? DEFAULT_KINDS).includes(kind);

/** An existing rule as the API takes it back. It keeps its target. */
export const keptRule = ({ target: _, ...rule }: NotificationRule): RuleInput => rule;

/** The rule in the form's fields. */
export function ruleOfForm(
  text: TextOf,
  channel: NotificationChannel,
  rule: NotificationRule | undefined,
): RuleInput {
  const optional = (name: string) => (text(name) === "" ? null : text(name));
  const common = {
    ...(rule && { id: rule.id }),
    kinds: notificationKind.options.filter((kind) => text(kind) !== ""),
    scope: text("scope") === "all" ? ("all" as const) : ("mine" as const),
    quietFrom: optional("quietFrom"),
    quietTo: optional("quietTo"),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    afterSeconds: Number(text("afterSeconds")),
    showText: text("showText") !== "",
  };
  const url = text("url");
  if (channel === "push") return { channel, ...common };
  // The address is secret, so an existing one is not shown. An empty field keeps it.
  if (channel === "messenger") {
    const target = { connectionId: text("connectionId"), channel: text("messengerChannel") };
    return { channel, ...common, ...(target.channel !== "" && { target }) };
  }
  if (channel === "ntfy") return { channel, ...common, ...(url !== "" && { target: { url } }) };
  return { channel, ...common, ...(url !== "" && { target: { url, secret: text("secret") } }) };
}
