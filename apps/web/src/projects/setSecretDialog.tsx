import type { ClipboardEvent } from "react";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { queries } from "../lib/api";
import { Field } from "../ui/field";
import { FormDialog } from "../ui/formDialog";
import { TextArea } from "../ui/textArea";
import { parseEnv } from "./parseEnv";

interface SetSecretDialogProps {
  organizationId: string;
  projectId: string;
  /** The secret to change; undefined for a new one. */
  name: string | undefined;
  /** Called when several lines are pasted into the name. */
  onMany: (text: string) => void;
  onClose: () => void;
}

export function SetSecretDialog({ organizationId, projectId, name, onMany, onClose }: SetSecretDialogProps) {
  const set = useMutationWithRefetch(queries.project.setSecret.mutationOptions({ gcTime: 0 }), {
    refetch: [queries.project.listSecrets.pathFilter()],
    onDone: onClose,
  });
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text/plain");
    if (parseEnv(text).entries.length === 0) return;
    event.preventDefault();
    onMany(text);
  };
  return (
    <FormDialog
      title={name === undefined ? "Add a secret" : `Change ${name}`}
      action="Save"
      change={set}
      failed="Could not save the secret."
      fields={["key", "value"]}
      keepOpen
      onSubmit={(text) =>
        set.mutate({ organizationId, projectId, key: text("key").trim(), value: text("value") })
      }
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="Capital letters, digits and _. If the secret exists, its value is replaced."
        name="key"
        defaultValue={name}
        readOnly={name !== undefined}
        placeholder="API_TOKEN"
        maxLength={200}
        onPaste={onPaste}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
      />
      <TextArea
        label="Value"
        name="value"
        rows={3}
        autoComplete="off"
        spellCheck={false}
        autoFocus={name !== undefined}
      />
    </FormDialog>
  );
}
