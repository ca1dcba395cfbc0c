import { useMutation } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { Button } from "../ui/button";
import { Choices } from "../ui/choices";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Field } from "../ui/field";
import { Form } from "../ui/form";
import { fieldError, Problem } from "../ui/problem";
import { CreatedKeyDialog } from "./createdKeyDialog";

const DAY_MS = 24 * 60 * 60 * 1000;
const lifetimes = [
  { value: "30", title: "30 days" },
  { value: "90", title: "90 days" },
  { value: "365", title: "A year" },
  { value: "", title: "Never expires" },
] as const;
const scopes = [
  {
    value: "write",
    title: "Read and write",
    hint: "Everything that you may do here, except managing people and keys.",
  },
  { value: "read", title: "Read", hint: "Can read what you can read, and change nothing." },
] as const;

/** Creates a key, which is shown only once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { id: organizationId } = useOrganization();
  const create = useMutation(
    queries.apiKey.create.mutationOptions({
      gcTime: 0,
      onSuccess: () => queryClient.invalidateQueries(queries.apiKey.list.pathFilter()),
    }),
  );
  if (create.data) return <CreatedKeyDialog apiKey={create.data} onClose={onClose} />;
  const wrong = fieldError(create.error, "name");
  return (
    <Dialog title="New API key" open onOpenChange={onClose} keepOpen>
      <Form
        onSubmit={(text) => {
          const days = Number(text("days"));
          create.mutate({
            organizationId,
            name: text("name"),
            scopes: text("scope") === "read" ? ["read"] : ["read", "write"],
            ...(days > 0 && { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() }),
          });
        }}
      >
        <Field
          label="Name"
          hint="Where it is used, such as “laptop, Claude Code”."
          name="name"
          maxLength={200}
          autoComplete="off"
          required
          error={wrong}
        />
        <Choices legend="Access" name="scope" defaultValue="write" options={scopes} />
        <Choices legend="Expires after" name="days" defaultValue="90" options={lifetimes} />
        {create.error && wrong === undefined && (
          <Problem title="Could not create the key." error={create.error} />
        )}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Make the key
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
