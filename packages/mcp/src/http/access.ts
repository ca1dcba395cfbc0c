import type { IncomingHttpHeaders } from "node:http";

/** Why a request is turned away before anything is done for it. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
const LOOPBACK_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * Whether a request was meant for this server (MCP specification 2025-11-25, "Streamable HTTP", security warning): a
 * page on the web may point a name of its own at this machine (DNS rebinding), but cannot hide that name. Loopback is
 * allowed on any port, and the address under which the server is known, `publicUrl`.
 * @returns 421 for another Host, 403 for another Origin; undefined when all is well
 */
export function refuseStranger(
  headers: IncomingHttpHeaders,
  publicUrl: string | undefined,
): Refusal | undefined {
  const { host = "", origin } = headers;
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isKnownHost = LOOPBACK_HOST.test(host) || isSameHost(host, known);
  if (!isKnownHost) return { status: 421, message: `This server does not go by the name ${quoted(host)}` };
  if (origin === undefined || LOOPBACK_ORIGIN.test(origin) || origin === known?.origin) return undefined;
  return { status: 403, message: `Requests from pages of ${quoted(origin)} are not taken` };
}

/** A default port may be written or left out. */
const isSameHost = (host: string, known: URL | undefined): boolean =>
  known !== undefined && ["", ":443", ":80"].some((port) => host.toLowerCase() === known.host + port);

/** The Bearer credential of a request (RFC 6750). Without one, or with anything else, it is answered 401. */
export function readCredential(authorization: string | undefined): { credential: string } | Refusal {
  if (authorization === undefined)
    return { status: 401, message: "Authentication required", headers: { "www-authenticate": "Bearer" } };
  const [, credential] = /^Bearer +([\x21-\x7e]{1,4096})$/i.exec(authorization) ?? [];
  if (credential !== undefined) return { credential };
  return {
    status: 401,
    message: "Authorization must be: Bearer, and one word of printable ASCII characters",
    headers: { "www-authenticate": 'Bearer error="invalid_request"' },
  };
}

/** A credential that nobody has, or has any more. */
export const unknownCredential: Refusal = {
  status: 401,
  message: "Authentication required",
  headers: { "www-authenticate": 'Bearer error="invalid_token"' },
};

const quoted = (value: string) => JSON.stringify(value.slice(0, 200));
