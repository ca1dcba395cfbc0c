import { StandalonePage } from "../components/standalonePage";
import { CopyLine } from "../ui/copy";

/** Local mode knows no form: whoever can run Grove's command on this machine is its owner. */
export const LocalSignIn = () => (
  <StandalonePage title="Sign in to Grove">
    <p className="mb-4">
      Grove runs on this machine for its owner alone. Open the link that it printed when it started, or ask
      for another one in a terminal:
    </p>
    <CopyLine text="grove link" label="Copy the command" />
    <p className="mt-4 mb-2 text-muted">In a clone of the repository, the command is:</p>
    <CopyLine text="npm run --silent grove link" label="Copy the command for a clone" />
  </StandalonePage>
);
