import * as z from "zod";
import type { ReadLog } from "../network/readLog";
import type { Codehost, RepoRef } from "../ports";
import { outcomeOf } from "../pulls";
import { readCheckLog } from "./checkLog";
import { type Client, toPull } from "./pull";
import { enqueue } from "./queue";
import { markReady } from "./ready";
import { checkedPull, readData } from "./status";

/** How GitHub opens, reads and merges pull requests. */
export function gitHubPulls(
  client: Client,
  readLog: ReadLog,
): Pick<
  Codehost,
  "findPull" | "openPull" | "markReady" | "readPull" | "pullStatus" | "readCheckLog" | "mergePull"
> {
  const at = ({ owner, name }: RepoRef) => ({ owner, repo: name });
  return {
    findPull: async (repo, { head, base }) => {
      const { data } = await client.request("GET /repos/{owner}/{repo}/pulls", {
        ...at(repo),
        head: `${repo.owner}:${head}`,
        ...(base !== undefined && { base }),
        ...({ state: "open", sort: "created", direction: "desc", per_page: 100 } as const),
      });
      // A fork of the same owner has the same label.
      return z
        .array(z.unknown())
        .parse(data)
        .map(toPull)
        .find(({ headBranch }) => headBranch === head);
    },

    openPull: async (repo, { title, body, head, base, draft }) => {
      const fields = { ...at(repo), title, body, head, base, draft };
      return toPull((await client.request("POST /repos/{owner}/{repo}/pulls", fields)).data);
    },

    markReady: (repo, number) => markReady(client, repo, number),

    readPull: async (repo, number) => toPull(await readData(client, repo, number)),

    pullStatus: (repo, number) => checkedPull(client, repo, number),

    readCheckLog: (repo, checkId) => readCheckLog(client, readLog, repo, checkId),

    mergePull: async (repo, number, { head, method }) => {
      if (method === "queue") return enqueue(client, repo, number, head);
      try {
        const { data } = await client.request("PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge", {
          ...at(repo),
          pull_number: number,
          sha: head,
          merge_method: method,
        });
        z.object({ merged: z.literal(true) }).parse(data);
        return { outcome: "merged" };
      } catch (error) {
        return outcomeOf(error);
      }
    },
  };
}
