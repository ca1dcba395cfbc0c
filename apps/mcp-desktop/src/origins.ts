import { ToolError } from "@grove/mcp";
import { cut } from "./text";

/**
 * The origin of an address, in the form an allow-list has it. `app://bundle` too, whose URL.origin is "null" like that of
 * every other app: https://url.spec.whatwg.org/#concept-url-origin. Browsers write hosts in lower case, a URL leaves those of
 * schemes it does not know as they are. Undefined for what has no host, such as `data:`.
 */
export function originOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, protocol, host, href } = new URL(url);
  if (origin !== "null") return origin;
  return href.startsWith(`${protocol}//`) ? `${protocol}//${host.toLowerCase()}` : undefined;
}

/** @throws ToolError when an address is on none of the origins; with none given, every one is allowed */
export function checkOrigin(url: string, allowed: readonly string[]): void {
  if (allowed.length === 0 || url === "about:blank") return;
  const origin = originOf(url);
  if (origin !== undefined && allowed.includes(origin)) return;
  throw new ToolError(
    "origin_not_allowed",
    `${JSON.stringify(origin ?? cut(url, 200))} is not among the allowed origins`,
    `Allowed: ${allowed.join(", ")}; navigate goes there.`,
  );
}
