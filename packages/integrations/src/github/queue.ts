import type { MergeOutcome, RepoRef } from "../ports";
import { mutatePull } from "./mutations";
import type { Client } from "./pull";

const MUTATION = `mutation ($pullRequestId: ID!, $expectedHeadOid: GitObjectID!) {
  enqueuePullRequest(input: { pullRequestId: $pullRequestId, expectedHeadOid: $expectedHeadOid }) {
    mergeQueueEntry { state }
  }
}`;

/** Adds the commit `head` of a pull request to the merge queue of its base. */
export async function enqueue(
  client: Client,
  repo: RepoRef,
  number: number,
  head: string,
): Promise<MergeOutcome> {
  const refusal = await mutatePull(client, { repo, number }, MUTATION, { expectedHeadOid: head });
  return refusal ? { outcome: "refused", detail: refusal.detail } : { outcome: "queued" };
}
