import { ToolError } from "@grove/mcp";

/** The origin of an address, in the form an allow-list has it; `app://bundle` too, whose URL.origin would be "null". */
function originOf(url: string): string {
  const { origin, protocol, host } = new URL(url);
  return origin === "null" ? `${protocol}//${host}` : origin;
}

/** `https://example.com` as given on the command line, or undefined. */
export function parseOrigin(text: string): string | undefined {
  return URL.canParse(text) ? originOf(text) : undefined;
}

/** @throws ToolError when an address is on none of the origins; with none given, every one is allowed */
export function checkOrigin(url: string, allowed: readonly string[]): void {
  if (allowed.length === 0 || url === "about:blank") return;
  const origin = URL.canParse(url) ? originOf(url) : url;
  if (allowed.includes(origin)) return;
  throw new ToolError(
    "origin_not_allowed",
    `${JSON.stringify(origin)} is not among the allowed origins`,
    `Allowed: ${allowed.join(", ")}; navigate goes there.`,
  );
}
