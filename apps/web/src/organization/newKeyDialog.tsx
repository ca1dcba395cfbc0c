import { DAY_MS } from "@grove/schemas";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { Field } from "../ui/field";
import { FormDialog } from "../ui/formDialog";
import { RadioGroup } from "../ui/radioGroup";
import { CreatedKeyDialog } from "./createdKeyDialog";

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
    hint: "Everything that you can do here, except managing people and keys.",
  },
  { value: "read", title: "Read-only", hint: "Everything that you can read. No changes." },
] as const;

/** Creates a key, which is shown only once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { id: organizationId } = useOrganization();
  const create = useMutationWithRefetch(queries.apiKey.create.mutationOptions({ gcTime: 0 }), {
    refetch: [queries.apiKey.list.pathFilter()],
  });
  if (create.data) return <CreatedKeyDialog apiKey={create.data} onClose={onClose} />;
  return (
    <FormDialog
      title="New API key"
      action="Create key"
      change={create}
      failed="Could not create the key."
      fields={["name"]}
      keepOpen
      onSubmit={(text) => {
        const days = Number(text("days"));
        create.mutate({
          organizationId,
          name: text("name"),
          scopes: text("scope") === "read" ? ["read"] : ["read", "write"],
          ...(days > 0 && { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() }),
        });
      }}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="Where it is used, such as “laptop, Claude Code”."
        name="name"
        maxLength={200}
        autoComplete="off"
        required
      />
      <RadioGroup legend="Access" name="scope" defaultValue="write" options={scopes} />
      <RadioGroup legend="Expires after" name="days" defaultValue="90" options={lifetimes} />
    </FormDialog>
  );
}
