import { errorData } from "@grove/client";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { queries } from "../lib/api";
import { refetchOrganizations } from "../lib/queries/refetchOrganizations";
import { Button } from "../ui/button";
import { Problem } from "../ui/problem";
import { forgetInvitation } from "./invitation";
import { ResendVerification } from "./resendVerification";

/** Accepts the invitation with this token, and opens the organization. */
export function JoinButton({ token }: { token: string }) {
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
        <Problem title="Could not accept the invitation." error={accept.error}>
          {errorData(accept.error)?.reason === "email_unverified" && <ResendVerification />}
        </Problem>
      )}
      <Button look="primary" busy={accept.isPending} onClick={() => accept.mutate({ token })}>
        Join
      </Button>
    </>
  );
}
