import { Link } from "@tanstack/react-router";
import { StandalonePage } from "../components/standalonePage";

/** A page behind a mail's link that was opened without the link. */
export const AskAgain = () => (
  <StandalonePage title="The address is incomplete">
    <p>Open the whole link of the mail. It works once; opened again, or loaded again, the page is empty.</p>
    <p className="mt-5">
      <Link to="/forgot-password" className="text-accent underline">
        Ask for a link for a new password
      </Link>
    </p>
  </StandalonePage>
);
