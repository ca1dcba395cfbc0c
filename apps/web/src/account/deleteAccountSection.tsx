import { errorData } from "@grove/client";
import { useMutation, useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { endSession, queries } from "../lib/api";
import { membersQuery } from "../lib/queries/membersQuery";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Confirmation } from "../ui/formDialog";
import { Section } from "../ui/section";
import { VisibleName } from "../ui/visibleName";
import { organizationOutcome } from "./organizationOutcome";

const localReason = "In local mode, the account belongs to the machine. Delete the data directory instead.";
const noPassword = "Deleting the account requires a password. Set one first, or ask an administrator.";

export function DeleteAccountSection({ name, isLocal }: { name: string; isLocal: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const methods = useQuery(queries.user.getSignInMethods.queryOptions());
  const reason = isLocal ? localReason : methods.data?.password === false ? noPassword : undefined;
  return (
    <Section title="Delete account">
      <p className="mb-3 text-muted">
        {reason ?? "This deletes your memberships, keys, devices and sessions. You cannot undo this."}
      </p>
      <Button reason={reason} onClick={() => setOpen(true)}>
        Delete
      </Button>
      {isOpen && <DeleteDialog name={name} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function DeleteDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useMutation(
    queries.user.delete.mutationOptions({
      gcTime: 0,
      onSuccess: () => endSession(() => navigate({ to: "/sign-in" })),
    }),
  );
  const isWrong = errorData(remove.error)?.reason === "invalid_credentials";
  return (
    <Confirmation
      title="Delete your account?"
      action="Delete account"
      textToType={name}
      change={{ ...remove, error: isWrong ? null : remove.error }}
      failed="Could not delete the account."
      onSubmit={(text) => remove.mutate({ password: text("password") })}
      onClose={onClose}
    >
      <p>Your API keys and devices are revoked in every organization. Files on the devices are kept.</p>
      <OrganizationOutcomes />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={isWrong ? "The password is wrong." : undefined}
      />
    </Confirmation>
  );
}

const outcomes = {
  deleted: "deleted with all its data, because you are the only member",
  kept: "continues without you",
  blocking: "needs another owner first",
};

/** Lists what happens to each of the user's organizations. */
function OrganizationOutcomes() {
  const organizations = useQuery(queries.organization.list.queryOptions()).data ?? [];
  const members = useQueries({
    queries: organizations.map(({ id: organizationId }) => membersQuery(organizationId)),
  });
  return (
    <ul className="list-disc pl-5">
      {organizations.map(({ id, name, role }, index) => {
        const all = members[index]?.data;
        return (
          <li key={id}>
            <VisibleName className="font-medium">{name}</VisibleName>
            {all && `: ${outcomes[organizationOutcome(role, all)]}`}
          </li>
        );
      })}
    </ul>
  );
}
