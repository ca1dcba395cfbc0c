import * as z from "zod";
import type { RepoRef } from "../ports";
import type { Client } from "./pull";
import { readData } from "./status";

const refused = z.object({
  name: z.literal("GraphqlResponseError"),
  errors: z.array(z.object({ type: z.string().optional(), message: z.string() })).min(1),
});

/** Returns GitHub's reason for refusing a GraphQL mutation. */
export interface Refusal {
  detail: string;
  isForbidden: boolean;
}

/**
 * Runs a GraphQL mutation on a pull request, for what GitHub's REST API cannot do.
 * @returns undefined if it took effect
 */
export async function mutatePull(
  client: Client,
  { repo, number }: { repo: RepoRef; number: number },
  mutation: string,
  variables: Record<string, string> = {},
): Promise<Refusal | undefined> {
  const { node_id: pullRequestId } = z
    .object({ node_id: z.string() })
    .parse(await readData(client, repo, number));
  try {
    await client.graphql(mutation, { pullRequestId, ...variables });
    return undefined;
  } catch (error) {
    const { data } = refused.safeParse(error);
    if (!data) throw error;
    return {
      detail: data.errors.map(({ message }) => message).join(" "),
      isForbidden: data.errors.some(({ type }) => type === "FORBIDDEN"),
    };
  }
}
