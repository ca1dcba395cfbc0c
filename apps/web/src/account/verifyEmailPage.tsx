import { errorData } from "@grove/client";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { StandalonePage } from "../components/standalonePage";
import { auth, authQuery, queryClient } from "../lib/api";
import { takeHashSecret } from "../lib/takeHashSecret";
import { Button, buttonClass } from "../ui/button";
import { Problem } from "../ui/problem";
import { VisibleName } from "../ui/visibleName";
import { AskAgain } from "./askAgain";
import { StartedOver } from "./startedOver";

/**
 * Verifies an address with the token of a mail. Without the account's own session, the API takes the account from its
 * holder, so the page says so before anything happens.
 */
export function VerifyEmailPage() {
  const [token] = useState(() => takeHashSecret("token"));
  const { session } = useSuspenseQuery(authQuery).data;
  const verify = useMutation({
    mutationFn: auth.verifyEmail,
    onSuccess: () => queryClient.invalidateQueries(authQuery),
  });
  if (token === undefined) return <AskAgain />;
  if (verify.data)
    return (
      <StandalonePage title="Your address is verified">
        {verify.data.startedOver && <StartedOver />}
        <Link
          to={verify.data.startedOver ? "/forgot-password" : "/"}
          className={`mt-3 self-start ${buttonClass("primary")}`}
        >
          {verify.data.startedOver ? "Set a password" : "Continue"}
        </Link>
      </StandalonePage>
    );
  const again = (
    <Link to="/account" className="text-accent underline">
      Ask for another link on your account's page
    </Link>
  );
  if (verify.error && errorData(verify.error)?.reason === "token_invalid")
    return (
      <StandalonePage title="This link is over">
        <Problem title="The address is not verified." error={verify.error}>
          {again}
        </Problem>
      </StandalonePage>
    );
  return (
    <StandalonePage title="Verify your address">
      {session ? (
        <p>
          You are signed in as <VisibleName className="font-medium">{session.user.email}</VisibleName>.
        </p>
      ) : (
        <p>
          You are not signed in here. If you made the account, sign in first and open the link again: then
          nothing changes but the verification. Otherwise the account starts over, without its organizations,
          keys and devices.
        </p>
      )}
      {verify.error && (
        <div className="mt-4">
          <Problem title="The address is not verified." error={verify.error}>
            {again}
          </Problem>
        </div>
      )}
      <div className="mt-5 flex flex-wrap gap-2">
        {!session && (
          <a href="/sign-in" className={buttonClass("primary")}>
            Sign in first
          </a>
        )}
        <Button
          look={session ? "primary" : "plain"}
          busy={verify.isPending}
          onClick={() => verify.mutate({ token })}
        >
          {session ? "Verify" : "Verify and start over"}
        </Button>
      </div>
    </StandalonePage>
  );
}
