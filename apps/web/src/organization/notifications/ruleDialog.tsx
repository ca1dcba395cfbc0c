import {
  type NotificationChannel,
  type NotificationRule,
  notificationKind,
  notificationLimits,
} from "@grove/schemas";
import { useState } from "react";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { Checkbox } from "../../ui/checkbox";
import { Field } from "../../ui/field";
import { FormDialog } from "../../ui/formDialog";
import { RadioGroup } from "../../ui/radioGroup";
import { MessengerFields } from "./messengerFields";
import { kindLabels } from "./notificationLabels";
import { keptRule, ruleOfForm, startsChecked } from "./ruleInput";

const channels = [
  { value: "push", title: "Push", hint: "To the browsers that you have turned on above." },
  { value: "ntfy", title: "ntfy", hint: "To a topic of ntfy.sh or of your own server." },
  { value: "messenger", title: "Messenger", hint: "To a channel of a connected messenger, such as Slack." },
  { value: "webhook", title: "Webhook", hint: "A signed POST to an address of yours." },
] as const;
const scopes = [
  { value: "mine", title: "My agents", hint: "Agents that you started, or whose task is assigned to you." },
  { value: "all", title: "All agents", hint: "Every agent whose output you may read." },
] as const;

interface RuleDialogProps {
  /** The rule to change; undefined for a new one. */
  rule: NotificationRule | undefined;
  /** All rules of the user in this organization. */
  rules: readonly NotificationRule[];
  onClose: () => void;
}

/** Creates or changes a rule. */
export function RuleDialog({ rule, rules, onClose }: RuleDialogProps) {
  const { id: organizationId } = useOrganization();
  const [channel, setChannel] = useState<NotificationChannel>(rule?.channel ?? "push");
  const save = useMutationWithRefetch(queries.user.setNotificationRules.mutationOptions(), {
    refetch: [queries.user.listNotificationRules.pathFilter()],
    onDone: onClose,
  });
  const others = rules.filter(({ id }) => id !== rule?.id).map(keptRule);
  return (
    <FormDialog
      title={rule ? "Change rule" : "New rule"}
      action={rule ? "Save" : "Add rule"}
      change={save}
      failed="Could not save the rule."
      onSubmit={(text) =>
        save.mutate({ organizationId, rules: [...others, ruleOfForm(text, channel, rule)] })
      }
      onClose={onClose}
    >
      {!rule && (
        <RadioGroup
          legend="Channel"
          name="channel"
          defaultValue={channel}
          options={channels}
          onChange={(value) => setChannel(value as NotificationChannel)}
        />
      )}
      {channel === "messenger" && <MessengerFields rule={rule} />}
      {(channel === "ntfy" || channel === "webhook") && (
        <Field
          label={channel === "ntfy" ? "Topic" : "Address"}
          hint={rule ? `Now at ${rule.target}. Leave it empty to keep it.` : "It is stored encrypted."}
          name="url"
          type="url"
          placeholder={channel === "ntfy" ? "https://ntfy.sh/my-topic" : "https://example.com/hook"}
          autoComplete="off"
          required={!rule}
        />
      )}
      {channel === "webhook" && (
        <Field
          label="Secret"
          hint="At least 16 characters. The header x-grove-signature has each body's HMAC-SHA256."
          name="secret"
          minLength={16}
          autoComplete="off"
          required={!rule}
        />
      )}
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 font-medium text-sm">When</legend>
        {notificationKind.options.map((kind) => (
          <Checkbox
            key={kind}
            name={kind}
            label={kindLabels[kind]}
            defaultChecked={startsChecked(rule, kind)}
          >
            {null}
          </Checkbox>
        ))}
      </fieldset>
      <RadioGroup legend="Agents" name="scope" defaultValue={rule?.scope ?? "mine"} options={scopes} />
      <Field
        label="Wait (seconds)"
        hint="Nothing is sent if the agent got an answer by then."
        name="afterSeconds"
        type="number"
        min={0}
        max={notificationLimits.afterSeconds}
        defaultValue={String(rule?.afterSeconds ?? 0)}
      />
      <div className="grid grid-cols-2 gap-3">
        <Field label="Quiet from" name="quietFrom" type="time" defaultValue={rule?.quietFrom ?? ""} />
        <Field label="Quiet until" name="quietTo" type="time" defaultValue={rule?.quietTo ?? ""} />
      </div>
      <Checkbox name="showText" label="Include the request's text" defaultChecked={rule?.showText ?? false}>
        The notification then shows its beginning, which may be a command or a path.
      </Checkbox>
    </FormDialog>
  );
}
