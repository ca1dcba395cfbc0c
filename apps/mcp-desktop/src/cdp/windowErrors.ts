import { ToolError } from "@grove/mcp";

export const pageCrashed = (windowId: string) =>
  new ToolError(
    "page_crashed",
    `The page in window ${windowId} has crashed`,
    'Start it again with navigate({"action":"reload"}).',
  );

export const windowClosed = (what: string) =>
  new ToolError(
    "window_closed",
    `${what} was closed in the middle of the call`,
    "get_window_info lists the open windows.",
  );

export const isWindowClosedError = (error: unknown): boolean =>
  error instanceof ToolError && error.code === "window_closed";
