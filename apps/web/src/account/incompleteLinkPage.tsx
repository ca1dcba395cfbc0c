import { Link } from "@tanstack/react-router";
import { StandalonePage } from "../components/standalonePage";

/** Shown if a page behind a mailed link was opened without the link's token. */
export const IncompleteLinkPage = () => (
  <StandalonePage title="The link is incomplete">
    <p>Open the full link from the email. Each link works once, and reloading this page discards it.</p>
    <p className="mt-5">
      <Link to="/forgot-password" className="text-accent underline">
        Request a new password link
      </Link>
    </p>
  </StandalonePage>
);
