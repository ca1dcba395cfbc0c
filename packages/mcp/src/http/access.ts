import type { IncomingHttpHeaders } from "node:http";

/** The reason why a request is refused before it is processed. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
const LOOPBACK_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * Checks that a request was meant for this server (MCP specification, "Streamable HTTP", security warning). A web page
 * may point its own host name at this machine (DNS rebinding), but cannot hide that name. Allowed are loopback on any
 * port and `publicUrl`, the server's public address.
 * @returns 421 for another Host, 403 for another Origin; undefined if the request is allowed
 */
export function refuseStranger(
  headers: IncomingHttpHeaders,
  publicUrl: string | undefined,
): Refusal | undefined {
  const { host = "", origin } = headers;
  const ownUrl = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isKnownHost = LOOPBACK_HOST.test(host) || isSameHost(host, ownUrl);
  if (!isKnownHost) return { status: 421, message: `Unexpected host ${quoted(host)}` };
  if (origin === undefined || LOOPBACK_ORIGIN.test(origin) || origin === ownUrl?.origin) return undefined;
  return { status: 403, message: `Requests from pages of ${quoted(origin)} are not allowed` };
}

/** The default port may be given or left out. */
const isSameHost = (host: string, known: URL | undefined): boolean =>
  known !== undefined && ["", ":443", ":80"].some((port) => host.toLowerCase() === known.host + port);

/** Reads the Bearer credential of a request (RFC 6750). A missing or malformed one is refused with 401. */
export function readCredential(authorization: string | undefined): { credential: string } | Refusal {
  if (authorization === undefined)
    return { status: 401, message: "Authentication required", headers: { "www-authenticate": "Bearer" } };
  const [, credential] = /^Bearer +([\x21-\x7e]{1,4096})$/i.exec(authorization) ?? [];
  if (credential !== undefined) return { credential };
  return {
    status: 401,
    message: "Authorization must be Bearer and a token of printable ASCII characters",
    headers: { "www-authenticate": 'Bearer error="invalid_request"' },
  };
}

/** The response to a credential that does not exist, or no longer does. */
export const unknownCredential: Refusal = {
  status: 401,
  message: "Authentication required",
  headers: { "www-authenticate": 'Bearer error="invalid_token"' },
};

const quoted = (value: string) => JSON.stringify(value.slice(0, 200));
