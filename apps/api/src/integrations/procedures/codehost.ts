import {
  codehostCreateWebhookInput,
  codehostDeleteWebhookInput,
  codehostListPullRequestsInput,
  codehostListReposInput,
  codehostListWebhooksInput,
  pullRequest,
  repo,
  success,
  webhook,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { callProvider } from "../call";
import { findConnection } from "../connections";
import { deleteWebhook } from "../deleteWebhook";
import { createRepositoryWebhook, listRepositoryWebhooks } from "../repositoryWebhooks";

/**
 * Code hosts: GitHub and GitLab. A procedure that calls a provider may fail with PRECONDITION_FAILED `not_connected`,
 * `several_connections` or `reconnect_required`, TOO_MANY_REQUESTS `rate_limited` with `retry-after`, FORBIDDEN
 * `provider_forbidden`, NOT_FOUND `provider_not_found`, BAD_REQUEST `provider_refused`, BAD_GATEWAY
 * `provider_unavailable`. None takes longer than 20 s.
 */
export const codehostProcedures = {
  /** The repositories that the connection may see, most recently changed first; at most 1 000. */
  listRepos: memberProcedure(codehostListReposInput)
    .output(output(z.array(repo)))
    .query(async ({ ctx, input }) => {
      const connection = await findConnection(ctx.services.database.db, "codehost", input);
      return callProvider(ctx.services, "codehost", connection, (codehost) => codehost.listRepos());
    }),

  /** A repository's pull requests, most recently changed first; at most 1 000 are read. */
  listPullRequests: memberProcedure(codehostListPullRequestsInput)
    .output(output(z.array(pullRequest)))
    .query(async ({ ctx, input }) => {
      const connection = await findConnection(ctx.services.database.db, "codehost", input);
      const { repoOwner: owner, repoName: name, state } = input;
      return callProvider(ctx.services, "codehost", connection, (codehost) =>
        codehost.listPullRequests({ owner, name }, state),
      );
    }),

  /**
   * Makes the code host deliver a repository's events here, signed with the webhook's own secret. `events` are the code
   * host's names; on GitLab, GitHub's names work too, and `*` means all. The console subscribes to the events of pull
   * requests, reviews and checks: on GitHub `pull_request`, `pull_request_review`, `check_run` and `status`, on GitLab
   * `pull_request` and `pipeline`. PRECONDITION_FAILED `public_url_required` if the service has no address to deliver
   * to, `too_many_webhooks` beyond 100 in a connection.
   */
  createWebhook: memberProcedure(codehostCreateWebhookInput, "admin")
    .output(output(webhook))
    .mutation(({ ctx, input }) => createRepositoryWebhook(ctx.services, ctx.principal, input)),

  /**
   * The webhooks created here, newest first: of one connection, or of all. `url` is null while the service has no
   * PUBLIC_URL. PRECONDITION_FAILED `not_connected`; NOT_FOUND for an unknown `connectionId`.
   */
  listWebhooks: memberProcedure(codehostListWebhooksInput, "admin")
    .output(output(z.array(webhook)))
    .query(({ ctx, input }) => listRepositoryWebhooks(ctx.services, input)),

  /**
   * Removes a webhook here and, as far as the code host allows, there. NOT_FOUND for an unknown webhook, or for one of
   * a connection other than `connectionId`.
   */
  deleteWebhook: memberProcedure(codehostDeleteWebhookInput, "admin")
    .output(output(success))
    .mutation(({ ctx, input }) => deleteWebhook(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
