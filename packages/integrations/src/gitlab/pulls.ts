import type { Gitlab } from "@gitbeaker/core";
import * as z from "zod";
import type { Codehost, Pull, RepoRef } from "../ports";
import { outcomeOf } from "../pulls";
import { idOf, project, toPull } from "./pull";
import { checkedPull } from "./status";

/** The marks of a draft in its title (docs.gitlab.com/user/project/merge_requests/drafts). */
const DRAFT_MARKS = /^(\s*(\[draft\]|draft:|\(draft\)))+\s*/i;

/** How GitLab opens, reads and merges merge requests. */
export function gitLabPulls(
  api: InstanceType<typeof Gitlab>,
): Pick<Codehost, "findPull" | "openPull" | "markReady" | "readPull" | "pullStatus" | "mergePull"> {
  const projectOf = async (repo: RepoRef) => project.parse(await api.Projects.show(idOf(repo)));
  const read = async (repo: RepoRef, data: unknown): Promise<Pull> => toPull(data, await projectOf(repo));
  return {
    findPull: async (repo, { head, base }) => {
      const found = await api.MergeRequests.all({
        projectId: idOf(repo),
        state: "opened",
        sourceBranch: head,
        perPage: 100,
        maxPages: 1,
        ...(base !== undefined && { targetBranch: base }),
      });
      const all = z.array(z.unknown()).parse(found);
      if (all.length === 0) return undefined;
      const known = await projectOf(repo);
      // Anyone may open one from a fork's branch of the same name.
      return all.map((one) => toPull(one, known)).find(({ headBranch }) => headBranch === head);
    },

    openPull: async (repo, { title, body, head, base, draft }) => {
      const named = draft ? `Draft: ${title}` : title;
      const options = { description: body };
      return read(repo, await api.MergeRequests.create(idOf(repo), head, base, named, options));
    },

    markReady: async (repo, number) => {
      const { title } = await read(repo, await api.MergeRequests.show(idOf(repo), number));
      const ready = title.replace(DRAFT_MARKS, "");
      if (ready !== title) await api.MergeRequests.edit(idOf(repo), number, { title: ready });
    },

    readPull: async (repo, number) => read(repo, await api.MergeRequests.show(idOf(repo), number)),

    pullStatus: async (repo, number) => checkedPull(api, repo, number, await projectOf(repo)),

    mergePull: async (repo, number, { head, method }) => {
      try {
        if (method === "queue") {
          await api.MergeTrains.addMergeRequest(idOf(repo), number, { sha: head });
          return { outcome: "queued" };
        }
        const options = { sha: head, squash: method === "squash" };
        const data = await api.MergeRequests.merge(idOf(repo), number, options);
        z.object({ state: z.enum(["merged", "locked"]) }).parse(data);
        return { outcome: "merged" };
      } catch (error) {
        return outcomeOf(error);
      }
    },
  };
}
