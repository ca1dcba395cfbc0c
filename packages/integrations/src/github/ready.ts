import { ProviderError } from "../errors";
import type { RepoRef } from "../ports";
import { mutatePull } from "./mutations";
import type { Client } from "./pull";

const MUTATION = `mutation ($pullRequestId: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $pullRequestId }) {
    pullRequest { isDraft }
  }
}`;

/** Makes a draft ready for review. GitHub does nothing if it is not a draft. */
export async function markReady(client: Client, repo: RepoRef, number: number): Promise<void> {
  const refusal = await mutatePull(client, { repo, number }, MUTATION);
  if (refusal)
    throw new ProviderError(refusal.isForbidden ? "forbidden" : "refused", { detail: refusal.detail });
}
