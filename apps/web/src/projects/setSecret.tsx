import { useMutation } from "@tanstack/react-query";
import type { ClipboardEvent } from "react";
import { queries, queryClient } from "../lib/api";
import { Button } from "../ui/button";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Field } from "../ui/field";
import { Form } from "../ui/form";
import { fieldError, Problem } from "../ui/problem";
import { TextArea } from "../ui/textArea";
import { parseEnv } from "./parseEnv";

interface SetSecretProps {
  organizationId: string;
  projectId: string;
  /** The secret to change; undefined for a new one. */
  name: string | undefined;
  /** Called when several lines are pasted into the name. */
  onMany: (text: string) => void;
  onClose: () => void;
}

/** Sets the value of a secret. */
export function SetSecret({ organizationId, projectId, name, onMany, onClose }: SetSecretProps) {
  const set = useMutation(
    queries.project.setSecret.mutationOptions({
      gcTime: 0,
      onSuccess: async () => {
        await queryClient.invalidateQueries(queries.project.listSecrets.pathFilter());
        onClose();
      },
    }),
  );
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text/plain");
    if (parseEnv(text).entries.length === 0) return;
    event.preventDefault();
    onMany(text);
  };
  const of = (field: string) => fieldError(set.error, field);
  const isAboutField = of("key") !== undefined || of("value") !== undefined;
  return (
    <Dialog
      title={name === undefined ? "Set a secret" : `Change ${name}`}
      open
      onOpenChange={onClose}
      keepOpen
    >
      <Form
        onSubmit={(text) =>
          set.mutate({ organizationId, projectId, key: text("key").trim(), value: text("value") })
        }
      >
        <Field
          label="Name"
          hint="Capital letters, digits and _. An existing secret gets the new value."
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
          error={of("key")}
        />
        <TextArea
          label="Value"
          name="value"
          rows={3}
          autoComplete="off"
          spellCheck={false}
          autoFocus={name !== undefined}
          error={of("value")}
        />
        {set.error && !isAboutField && <Problem title="Could not set the secret." error={set.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={set.isPending}>
            Set it
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
