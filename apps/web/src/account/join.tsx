import { errorData } from "@grove/client";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { queries } from "../lib/api";
import { refetchOrganizations } from "../lib/organizations";
import { Button } from "../ui/button";
import { Problem } from "../ui/problem";
import { forgetInvitation } from "./invitation";
import { MailAgain } from "./mailAgain";

/** Accepts the invitation with this token, and leads into the organization. */
export function Join({ token }: { token: string }) {
  const navigate = useNavigate();
  const accept = useMutation(
    queries.organization.acceptInvitation.mutationOptions({
      gcTime: 0,
      onSuccess: async ({ slug }) => {
        await refetchOrganizations();
        forgetInvitation();
        await navigate({ to: "/o/$organization", params: { organization: slug }, replace: true });
      },
    }),
  );
  return (
    <>
      {accept.error && (
        <Problem title="You have not joined." error={accept.error}>
          {errorData(accept.error)?.reason === "email_unverified" && <MailAgain />}
        </Problem>
      )}
      <Button look="primary" busy={accept.isPending} onClick={() => accept.mutate({ token })}>
        Join
      </Button>
    </>
  );
}
