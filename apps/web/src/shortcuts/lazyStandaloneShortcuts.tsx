import { Suspense } from "react";
import { authQuery, queryClient } from "../lib/api";
import { lazily } from "../lib/browser/lazily";
import { keepEarlyKeys } from "./earlyKeys";

const Shortcuts = lazily(async () => {
  // The page is rendered before this code has loaded. Key presses are queued until then.
  keepEarlyKeys();
  return (await import("./standaloneShortcuts")).StandaloneShortcuts;
});

/** The shortcuts of a page outside an organization, for signed-in users. */
export const LazyStandaloneShortcuts = () => (
  <Suspense>{queryClient.getQueryData(authQuery.queryKey)?.session && <Shortcuts />}</Suspense>
);
