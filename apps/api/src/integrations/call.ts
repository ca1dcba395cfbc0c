import { type Ports, PROVIDER_TIMEOUT_MS, ProviderError } from "@grove/integrations";
import type { IntegrationKind } from "@grove/schemas";
import { span } from "@grove/tracing";
import type { Services } from "../services";
import { openCredentials, requireReconnect } from "./credentials";
import { toGroveError } from "./failures";
import { isDue, isRefreshable, refresh } from "./refresh";
import type { ConnectionRow } from "./row";

/**
 * Makes one call to a connection's provider.
 * @throws {GroveError} see {@link toGroveError}
 */
export async function callProvider<Kind extends IntegrationKind, T>(
  services: Services,
  kind: Kind,
  row: ConnectionRow,
  use: (port: Ports[Kind]) => Promise<T>,
): Promise<T> {
  const { title } = services.integrations.provider(row.provider);
  try {
    return await tryProvider(services, kind, row, use);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.failure === "bad_answer")
      services.log.warn(
        { connectionId: row.id, provider: row.provider, detail: error.detail, cause: String(error.cause) },
        "a provider's answer differs from its documentation",
      );
    throw toGroveError(title, error);
  }
}

/**
 * Like {@link callProvider}. Tokens are renewed before they expire, or when the provider no longer accepts them. If the
 * credentials themselves are no longer accepted, the connection is marked.
 * @throws {ProviderError}
 */
export async function tryProvider<Kind extends IntegrationKind, T>(
  services: Services,
  kind: Kind,
  row: ConnectionRow,
  use: (port: Ports[Kind]) => Promise<T>,
): Promise<T> {
  // Trying these credentials again could get the account blocked.
  if (row.status === "reconnect_required") throw new ProviderError("unauthorized");
  const until = performance.now() + PROVIDER_TIMEOUT_MS;
  const call = ({ provider, base_url: baseUrl, ...current }: ConnectionRow) => {
    const credentials = openCredentials(services, current);
    const access = { provider, credentials, baseUrl };
    const work = () => services.integrations.call(kind, access, use, until - performance.now());
    return span(`provider ${provider}`, { kind: "client" }, work);
  };
  const attempt = async (current: ConnectionRow, mayRenew: boolean): Promise<T> => {
    try {
      return await call(current);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.failure !== "unauthorized") throw error;
      if (mayRenew && isRefreshable(services, current))
        return attempt(await refresh(services, current, until), false);
      await requireReconnect(services, current);
      throw error;
    }
  };
  return isDue(openCredentials(services, row))
    ? attempt(await refresh(services, row, until), false)
    : attempt(row, true);
}
