import { ToolError } from "@grove/mcp";

/** The Chromium of Electron 21. It introduced `checkVisibility`, which detects hidden elements. */
const OLDEST = 105;

/** @throws {ToolError} for an app that is too old */
export function requireSupportedVersion(userAgent: string): void {
  const major = Number(/Chrome\/(\d+)/.exec(userAgent)?.[1] ?? OLDEST);
  if (major >= OLDEST) return;
  throw new ToolError(
    "app_too_old",
    `The app runs Chromium ${major}. The oldest supported version is ${OLDEST} (Electron 21)`,
    "Update the app's Electron.",
  );
}

/**
 * The address of the browser's own WebSocket (`/json/version`).
 * @throws {Error} when nothing answers there, or something other than a Chromium
 */
export async function browserEndpoint(endpoint: string, signal: AbortSignal): Promise<string> {
  if (/^wss?:/.test(endpoint)) return endpoint;
  const response = await fetch(new URL("/json/version", endpoint), { signal });
  const version: unknown = response.ok ? await response.json() : undefined;
  if (typeof version === "object" && version !== null && "webSocketDebuggerUrl" in version)
    return String(version.webSocketDebuggerUrl);
  throw new Error(`no debugging port of a Chromium (HTTP ${response.status})`);
}
