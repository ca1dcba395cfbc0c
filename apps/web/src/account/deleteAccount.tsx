import { errorData } from "@grove/client";
import { useMutation, useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { endSession, queries } from "../lib/api";
import { membersQuery } from "../lib/members";
import { Button } from "../ui/button";
import { Confirmation } from "../ui/confirmation";
import { Field } from "../ui/field";
import { Section } from "../ui/section";
import { VisibleName } from "../ui/visibleName";
import { fateOf } from "./fateOf";

const localReason = "In local mode, this account is the machine's. Delete the data directory instead.";
const noPassword = "The account has no password to confirm it with. Set one first, or ask an administrator.";

/** The end of the account. */
export function DeleteAccount({ name, isLocal }: { name: string; isLocal: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const methods = useQuery(queries.user.getSignInMethods.queryOptions());
  const reason = isLocal ? localReason : methods.data?.password === false ? noPassword : undefined;
  return (
    <Section title="Delete the account">
      <p className="mb-3 text-muted">
        {reason ?? "Your memberships, keys, devices and sessions end with it. This cannot be taken back."}
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
      action="Delete the account"
      textToType={name}
      change={{ ...remove, error: isWrong ? null : remove.error }}
      failed="The account is still there."
      onConfirm={(text) => remove.mutate({ password: text("password") })}
      onClose={onClose}
    >
      <p>
        Your API keys end, and your devices are revoked, in every organization. Files on machines stay where
        they are.
      </p>
      <Fates />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={isWrong ? "This is not your password." : undefined}
      />
    </Confirmation>
  );
}

const words = {
  goes: "deleted with everything in it, since nobody else is in it",
  stays: "goes on without you",
  blocks: "needs another owner first",
};

/** The end of each organization of the person. */
function Fates() {
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
            {all && `: ${words[fateOf(role, all)]}`}
          </li>
        );
      })}
    </ul>
  );
}
