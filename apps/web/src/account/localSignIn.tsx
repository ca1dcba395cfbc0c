import { StandalonePage } from "../components/standalonePage";
import { CopyLine } from "../ui/copy";

/** Local mode has no sign-in form: anyone who can run Grove's command on this machine is its owner. */
export const LocalSignIn = () => (
  <StandalonePage title="Sign in to Grove">
    <p className="mb-4">
      Grove runs in local mode, for the owner of this machine. Open the link that Grove printed when it
      started, or get a new one in a terminal:
    </p>
    <CopyLine text="grove link" label="Copy the command" />
    <p className="mt-4 mb-2 text-muted">In a clone of the repository, the command is:</p>
    <CopyLine text="npm run --silent grove link" label="Copy the command for a clone" />
  </StandalonePage>
);
