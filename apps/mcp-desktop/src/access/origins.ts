import { ToolError } from "@grove/mcp";
import { cutMarked } from "../text";

/**
 * The origin of an address, in the form of an allow-list. This includes `app://bundle`, for which URL.origin is "null"
 * as for every other app: https://url.spec.whatwg.org/#concept-url-origin. Hosts are in lower case, as browsers write
 * them; a URL leaves them unchanged for unknown schemes. Undefined for an address without a host, such as `data:`.
 */
export function originOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, protocol, host, href } = new URL(url);
  if (origin !== "null") return origin;
  return href.startsWith(`${protocol}//`) ? `${protocol}//${host.toLowerCase()}` : undefined;
}

/** @throws {ToolError} unless an address has one of the origins; with none given, every origin is allowed */
export function checkOrigin(url: string, allowed: readonly string[]): void {
  if (allowed.length === 0 || url === "about:blank") return;
  const origin = originOf(url);
  if (origin !== undefined && allowed.includes(origin)) return;
  throw new ToolError(
    "origin_not_allowed",
    `${JSON.stringify(origin ?? cutMarked(url, 200))} is not among the allowed origins`,
    `Allowed: ${allowed.join(", ")}; navigate goes there.`,
  );
}
