import { useEffect } from "react";
import { reloadIfOutdated } from "../lib/browser/reloadIfOutdated";
import { useLiveStatus } from "../live/liveStatus";
import { ReloadButton } from "./reloadButton";

/** Shown in place of a component that failed to load. After an update of Grove, it reloads the page once. */
export function LoadFailure() {
  const { updated } = useLiveStatus();
  useEffect(() => void reloadIfOutdated(), []);
  return (
    <div
      role="alert"
      className="m-2 flex flex-col items-start gap-1 rounded-lg border border-line bg-raised px-4 py-3 text-ink"
    >
      <p className="font-medium">Could not load this part of the page.</p>
      <p>
        {updated
          ? "Grove was updated while the page was open. Reload the page to continue."
          : "Check your connection, then reload the page."}
      </p>
      <ReloadButton>Reload</ReloadButton>
    </div>
  );
}
