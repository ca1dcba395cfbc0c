import { GroveError } from "@grove/auth";
import { ProviderError } from "@grove/integrations";
import type { Services } from "../services";

/** The push services of the browsers: Chrome and other Chromium browsers, Firefox, Safari, Edge on Windows. */
const hosts = ["fcm.googleapis.com", "jmt17.google.com"];
const domains = [".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com"];

/**
 * Requires that an endpoint belongs to a known push service. A client reports it, so it could be any address.
 * @throws {GroveError} BAD_REQUEST `push_host_refused`
 */
export function requirePushHost(
  { config, integrations }: Pick<Services, "config" | "integrations">,
  endpoint: string,
): void {
  const url = new URL(endpoint);
  const { host, hostname } = url;
  const isKnown =
    (url.port === "" && (hosts.includes(hostname) || domains.some((domain) => hostname.endsWith(domain)))) ||
    config.pushHosts?.includes(host);
  if (!isKnown)
    throw refused(
      `Grove does not send to the push service at ${host}. The operator can add its host to PUSH_HOSTS.`,
    );
  requirePublic({ integrations }, endpoint, "push_host_refused");
}

/**
 * Requires that this server may send requests to an address. The IP addresses of a host name are checked on connection.
 * @throws {GroveError} BAD_REQUEST
 */
export function requirePublic(
  { integrations }: Pick<Services, "integrations">,
  address: string,
  reason: "push_host_refused" | "base_url_refused" = "base_url_refused",
): void {
  const url = new URL(address);
  if (url.username !== "" || url.password !== "")
    throw refused("An address cannot contain a user or a password.", reason);
  try {
    integrations.network.checkHost(url);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw refused(
      `Grove does not send to this address: ${error.detail}. Give a public https address, or ask the operator to add its host to PRIVATE_PROVIDER_HOSTS.`,
      reason,
    );
  }
}

const refused = (message: string, reason: "push_host_refused" | "base_url_refused" = "push_host_refused") =>
  new GroveError("BAD_REQUEST", message, { reason });
