import type { NotificationRule } from "@grove/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { Button } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { Section } from "../../ui/section";
import { Cell, Row, Table } from "../../ui/table";
import { VisibleName } from "../../ui/visibleName";
import { channelLabels, kindLabels } from "./notificationLabels";
import { RuleDialog } from "./ruleDialog";
import { keptRule } from "./ruleInput";

/** The user's rules in this organization: which events are sent, and where to. */
export function RulesSection() {
  const { id: organizationId } = useOrganization();
  const list = useQuery(queries.user.listNotificationRules.queryOptions({ organizationId }));
  const { data: rules = [] } = list;
  const [edited, setEdited] = useState<NotificationRule | "new">();
  const save = useMutationWithRefetch(queries.user.setNotificationRules.mutationOptions(), {
    refetch: [queries.user.listNotificationRules.pathFilter()],
  });
  const test = useMutation(queries.user.testNotification.mutationOptions());
  const error = save.error ?? test.error;
  const remove = (rule: NotificationRule) =>
    save.mutate({ organizationId, rules: rules.filter(({ id }) => id !== rule.id).map(keptRule) });
  return (
    <Section
      title="Rules"
      actions={
        <Button onClick={() => setEdited("new")}>
          <Plus aria-hidden="true" className="size-4" />
          New rule
        </Button>
      }
    >
      {list.error && <Problem title="Could not load your rules." error={list.error} />}
      {error && <Problem title="Could not change the rule." error={error} />}
      <p role="status" className="text-muted text-sm empty:hidden">
        {test.isSuccess && "A test is on its way. Its result appears below."}
      </p>
      {rules.length === 0 ? (
        <p className="text-muted">
          No rules yet, so you get no notifications. The page Now still lists what needs you.
        </p>
      ) : (
        <Table label="Rules" columns={["To", "When", "For", "Actions"]}>
          {rules.map((rule) => (
            <Row key={rule.id}>
              <Cell wrap>
                {channelLabels[rule.channel]}
                {rule.target !== null && (
                  <span className="text-muted">
                    {" "}
                    <VisibleName>{rule.target}</VisibleName>
                  </span>
                )}
              </Cell>
              <Cell wrap>{rule.kinds.map((kind) => kindLabels[kind]).join(", ")}</Cell>
              <Cell quiet>{rule.scope === "mine" ? "My agents" : "Other agents too"}</Cell>
              <Cell actions>
                <Button
                  look="quiet"
                  busy={test.isPending}
                  onClick={() => test.mutate({ organizationId, ruleId: rule.id })}
                >
                  Send a test
                </Button>
                {rule.channel !== "messenger" && (
                  <Button look="quiet" onClick={() => setEdited(rule)}>
                    Change
                  </Button>
                )}
                <Button look="quiet" busy={save.isPending} onClick={() => remove(rule)}>
                  Delete
                </Button>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {edited && (
        <RuleDialog
          rule={edited === "new" ? undefined : edited}
          rules={rules}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Section>
  );
}
