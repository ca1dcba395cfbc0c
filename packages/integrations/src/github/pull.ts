import type { Octokit } from "@octokit/core";
import type { PaginateInterface } from "@octokit/plugin-paginate-rest";
import * as z from "zod";
import type { Pull } from "../ports";
import { pullOf, repository } from "./webhooks";

export type Client = Octokit & { paginate: PaginateInterface };

/** A pull request of GitHub's OpenAPI description, as all of its responses contain it. */
const pull = z.object({
  number: z.number().int(),
  state: z.enum(["open", "closed"]),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullable(),
  updated_at: z.string(),
  title: z.string(),
  body: z.string().nullable(),
  html_url: z.string(),
  head: z.object({ ref: z.string(), sha: z.string(), repo: z.object({ id: z.number() }).nullable() }),
  base: z.object({ ref: z.string(), repo: repository.extend({ id: z.number() }) }),
});

export const toPull = (data: unknown): Pull => {
  const found = pull.parse(data);
  const change = pullOf({ ...found, merged: found.merged_at !== null }, found.base.repo);
  return { ...change, head: found.head.sha };
};

/** The items of an endpoint's pages. */
export async function* itemsOf(pages: AsyncIterable<{ data: unknown }>): AsyncGenerator<unknown[]> {
  for await (const { data } of pages) yield z.array(z.unknown()).parse(data);
}
