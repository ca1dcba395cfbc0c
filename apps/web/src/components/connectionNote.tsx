import { useConsumeHashParam } from "../hooks/useConsumeHashParam";
import { Note } from "../ui/note";
import { providerNames } from "./providerNames";

/** Explanations of the API's reasons that have a specific next step. */
const reasons: Record<string, string> = {
  token_invalid:
    "The connection was started in another session, was already completed, or took too long. Try again.",
  oauth_failed: "The provider rejected the request, or access was denied there. Try again.",
  role_required: "Only admins of the organization can connect accounts. Ask one of them.",
  not_a_member: "You are no longer a member of that organization.",
  provider_unavailable: "The provider did not answer. Try again later.",
};

const lookUp = (texts: Record<string, string>, key: string | undefined) =>
  key === undefined ? undefined : Object.entries(texts).find(([name]) => name === key)?.[1];

/** Shows the result of connecting an account, after the redirect from the provider. */
export function ConnectionNote() {
  const connected = lookUp(providerNames, useConsumeHashParam("connected"));
  const refused = useConsumeHashParam("refused");
  if (connected === undefined && refused === undefined) return null;
  return (
    <div role="status" className="mb-6">
      {connected !== undefined && <Note look="good" title={`${connected} is connected.`} />}
      {refused !== undefined && (
        <Note look="warn" title="The account was not connected.">
          <p>{lookUp(reasons, refused) ?? "Try again."}</p>
        </Note>
      )}
    </div>
  );
}
