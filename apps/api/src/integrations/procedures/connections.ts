import {
  authorizeUrl,
  connection as connectionSchema,
  integrationAuthorizeUrlInput,
  integrationConnectInput,
  integrationDisconnectInput,
  integrationListInput,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberProcedure, memberSessionProcedure } from "../../trpc/procedures";
import { beginAuthorization } from "../authorize";
import { connect as keepConnection, readAccess } from "../connect";
import { listConnections } from "../connections";
import { disconnect } from "../disconnect";

export const connectionProcedures = {
  /** The organization's connections, newest first; never a token. */
  list: memberProcedure(integrationListInput)
    .output(output(z.array(connectionSchema)))
    .query(({ ctx, input }) => listConnections(ctx.services, input)),

  /**
   * Connects an account of a provider. The credentials are tried before they are stored, encrypted. Connecting the same
   * account again renews its connection. For a tracker, this also creates a webhook for changed issues. Tokens go into
   * `token`, for Jira with `email`; a GitHub App's installation goes into `app`. `baseUrl` is for a self-hosted
   * provider, and for Jira the site's. BAD_REQUEST `credentials_refused` or `base_url_refused`; PRECONDITION_FAILED
   * `too_many_connections` beyond 50; BAD_GATEWAY `provider_unavailable`.
   */
  connect: memberProcedure(integrationConnectInput, "admin")
    .output(output(connectionSchema))
    .mutation(({ ctx, input }) =>
      keepConnection(
        ctx.services,
        ctx.principal,
        input.organizationId,
        readAccess(ctx.services, input),
        "integration.connect",
      ),
    ),

  /**
   * Returns the provider's page on which a person consents to the connection, instead of giving a token. Open it within
   * ten minutes, in the browser that holds this session's cookie. PRECONDITION_FAILED `oauth_not_configured` if the
   * operator has registered no OAuth app; Discord accepts only tokens.
   */
  authorizeUrl: memberSessionProcedure(integrationAuthorizeUrlInput, "admin")
    .output(output(authorizeUrl))
    .mutation(async ({ ctx, input }) => ({
      url: await beginAuthorization(ctx.services, ctx.principal, input.organizationId, input.provider),
    })),

  /**
   * Ends a connection and deletes its credentials. Its webhooks are removed at the provider, as far as the provider
   * allows. Tasks made from its issues stay. NOT_FOUND for an unknown connection.
   */
  disconnect: memberProcedure(integrationDisconnectInput, "admin")
    .output(output(success))
    .mutation(({ ctx, input }) => disconnect(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
