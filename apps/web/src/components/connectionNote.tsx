import type { IntegrationProvider } from "@grove/schemas";
import { useConsumeHashParam } from "../hooks/useConsumeHashParam";
import { Note } from "../ui/note";

const providers = {
  github: "GitHub",
  gitlab: "GitLab",
  linear: "Linear",
  jira: "Jira",
  slack: "Slack",
  discord: "Discord",
} satisfies Record<IntegrationProvider, string>;

/** The words for the API's reasons that have a next step of their own. */
const reasons: Record<string, string> = {
  token_invalid: "It was begun in another session, is already finished, or took too long. Begin again.",
  oauth_failed: "The provider did not agree, or somebody refused there. Begin again.",
  role_required: "Only admins of the organization may connect accounts. Ask one of them.",
  not_a_member: "You are no longer a member of that organization.",
  provider_unavailable: "The provider did not answer. Try again later.",
};

const wordOf = (words: Record<string, string>, key: string | undefined) =>
  key === undefined ? undefined : Object.entries(words).find(([name]) => name === key)?.[1];

/** The outcome of a consent that was asked for at a provider, with which the provider's page has led here. */
export function ConnectionNote() {
  const connected = wordOf(providers, useConsumeHashParam("connected"));
  const refused = useConsumeHashParam("refused");
  if (connected === undefined && refused === undefined) return null;
  return (
    <div role="status" className="mb-6">
      {connected !== undefined && <Note look="good" title={`${connected} is connected.`} />}
      {refused !== undefined && (
        <Note look="warn" title="The account was not connected.">
          <p>{wordOf(reasons, refused) ?? "Begin again."}</p>
        </Note>
      )}
    </div>
  );
}
