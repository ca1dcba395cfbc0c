import * as z from "zod";
import type { MergeOutcome, RepoRef } from "../ports";
import type { Client } from "./pull";
import { readData } from "./status";

/** The mutation that adds a pull request to the merge queue, which GitHub's REST API does not have. */
const MUTATION = `mutation ($pullRequestId: ID!, $expectedHeadOid: GitObjectID!) {
  enqueuePullRequest(input: { pullRequestId: $pullRequestId, expectedHeadOid: $expectedHeadOid }) {
    mergeQueueEntry { state }
  }
}`;

const refused = z.object({
  name: z.literal("GraphqlResponseError"),
  errors: z.array(z.object({ message: z.string() })).min(1),
});

/** Adds the commit `head` of a pull request to the merge queue of its base. */
export async function enqueue(
  client: Client,
  repo: RepoRef,
  number: number,
  head: string,
): Promise<MergeOutcome> {
  const { node_id: pullRequestId } = z
    .object({ node_id: z.string() })
    .parse(await readData(client, repo, number));
  try {
    await client.graphql(MUTATION, { pullRequestId, expectedHeadOid: head });
    return { outcome: "queued" };
  } catch (error) {
    const { data } = refused.safeParse(error);
    if (!data) throw error;
    return { outcome: "refused", detail: data.errors.map(({ message }) => message).join(" ") };
  }
}
