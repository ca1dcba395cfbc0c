import type { AppRouter } from "@grove/api/router";
import { signUp as createAccount, password } from "@grove/testing/signUp";
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";

/** A person with a personal organization and an API key of it. */
export interface Tenant {
  /** A client with the person's own session; without subscriptions. */
  readonly client: TRPCClient<AppRouter>;
  /** The token of the person's session. */
  readonly token: string;
  readonly email: string;
  readonly password: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly apiKey: string;
  readonly apiKeyId: string;
}

/** Signs a new person up with the API at this address. */
export async function signUp(url: string, name?: string): Promise<Tenant> {
  const { user, token } = await createAccount(url, name);
  const client = createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${url}/api/trpc`, headers: { authorization: `Bearer ${token}` } })],
  });
  const [organization] = await client.organization.list.query();
  if (!organization) throw new Error("sign-up made no organization");
  const organizationId = organization.id;
  const { key, id } = await client.apiKey.create.mutate({ organizationId, name: "test" });
  const { id: userId, email } = user;
  return { client, token, email, password, userId, organizationId, apiKey: key, apiKeyId: id };
}
