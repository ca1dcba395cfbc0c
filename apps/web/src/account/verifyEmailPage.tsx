import { errorData } from "@grove/client";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { StandalonePage } from "../components/standalonePage";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { auth, authQuery } from "../lib/api";
import { takeHashSecret } from "../lib/browser/takeHashSecret";
import { Button, buttonClass } from "../ui/button";
import { Problem } from "../ui/problem";
import { VisibleName } from "../ui/visibleName";
import { AccountResetNotice } from "./accountResetNotice";
import { IncompleteLinkPage } from "./incompleteLinkPage";

/**
 * Verifies an address with the token of a mailed link. Without a session of the account, the API resets the account, so
 * the page warns before it sends the token.
 */
export function VerifyEmailPage() {
  const [token] = useState(() => takeHashSecret("token"));
  const { session } = useSuspenseQuery(authQuery).data;
  const verify = useMutationWithRefetch({ mutationFn: auth.verifyEmail }, { refetch: [authQuery] });
  if (token === undefined) return <IncompleteLinkPage />;
  if (verify.data)
    return (
      <StandalonePage title="Your email address is verified">
        {verify.data.startedOver && <AccountResetNotice />}
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
      Request a new link on your account page
    </Link>
  );
  if (verify.error && errorData(verify.error)?.reason === "token_invalid")
    return (
      <StandalonePage title="This link no longer works">
        <Problem title="Could not verify the address." error={verify.error}>
          {again}
        </Problem>
      </StandalonePage>
    );
  return (
    <StandalonePage title="Verify your email address">
      {session ? (
        <p>
          You are signed in as <VisibleName className="font-medium">{session.user.email}</VisibleName>.
        </p>
      ) : (
        <p>
          You are not signed in here. If you created the account, sign in first and open the link again: this
          only verifies the address. Otherwise the account is reset, and its organizations, keys and devices
          are deleted.
        </p>
      )}
      {verify.error && (
        <div className="mt-4">
          <Problem title="Could not verify the address." error={verify.error}>
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
          {session ? "Verify" : "Verify and reset account"}
        </Button>
      </div>
    </StandalonePage>
  );
}
