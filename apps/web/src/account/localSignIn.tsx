import { useSuspenseQuery } from "@tanstack/react-query";
import { StandalonePage } from "../components/standalonePage";
import { authQuery } from "../lib/api";
import { CopyLine } from "../ui/copyButton";
import { SignInError } from "./signInError";

/** Local mode has no sign-in form: anyone who can run Grove's command on this machine is its owner. */
export function LocalSignIn() {
  const { linkCommand, hasExpired } = useSuspenseQuery(authQuery).data;
  return (
    <StandalonePage title="Sign in to Grove">
      {hasExpired && <SignInError error="session_expired" />}
      <p className="mb-4">
        Grove runs in local mode, for the owner of this machine. Open the link that Grove printed when it
        started, or get a new one in a terminal:
      </p>
      <CopyLine text={linkCommand ?? "grove link"} label="Copy the command" />
    </StandalonePage>
  );
}
