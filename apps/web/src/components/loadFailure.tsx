import { useEffect } from "react";
import { reloadIfOutdated } from "../lib/reloadIfOutdated";
import { useLiveStatus } from "../live/liveStatus";
import { ReloadButton } from "./reloadButton";

/** The place of something that could not be loaded. After an update of Grove, the page is loaded again, once. */
export function LoadFailure() {
  const { updated } = useLiveStatus();
  useEffect(() => void reloadIfOutdated(), []);
  return (
    <div
      role="alert"
      className="m-2 flex flex-col items-start gap-1 rounded-lg border border-line bg-raised px-4 py-3 text-ink"
    >
      <p className="font-medium">This part of the page could not be loaded.</p>
      <p>
        {updated
          ? "Grove was updated while the page was open. Reload it to go on."
          : "Check your connection, then reload the page."}
      </p>
      <ReloadButton>Reload</ReloadButton>
    </div>
  );
}
