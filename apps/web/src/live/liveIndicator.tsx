import { Loader, Radio, WifiOff } from "lucide-react";
import { ReloadButton } from "../components/reloadButton";
import { StateLabel } from "../ui/stateLabel";
import { useLiveStatus } from "./liveStatus";

const timeOfDay = new Intl.DateTimeFormat("en", { timeStyle: "short", hour12: false });

/** Shows whether the page is live, and otherwise since when it is not. */
export function LiveIndicator() {
  const { brokenSince, isSilent, updated } = useLiveStatus();
  return (
    <div className="flex flex-col gap-2 px-2 text-muted text-xs">
      {updated && <ReloadButton>Grove was updated: reload</ReloadButton>}
      <p role="status">
        {brokenSince === undefined && (
          <StateLabel state={{ icon: Loader, tone: "calm", label: "Connecting" }} />
        )}
        {brokenSince === null && <StateLabel state={{ icon: Radio, tone: "calm", label: "Live" }} />}
        {typeof brokenSince === "number" && <Disconnected since={brokenSince} isSilent={isSilent} />}
        {typeof brokenSince === "number" && isSilent && (
          <span className="mt-1 block">
            This page refreshes every 10 s. A proxy may be buffering the live updates. Turn its response
            buffering off.
          </span>
        )}
      </p>
    </div>
  );
}

/** For narrow screens, where the sidebar is closed. Renders only a broken stream or an update of Grove. */
export function DisconnectedIndicator() {
  const { brokenSince, isSilent, updated } = useLiveStatus();
  return (
    <div className="ml-auto flex items-center gap-2 px-2 text-muted text-xs">
      <p role="status">
        {typeof brokenSince === "number" && <Disconnected since={brokenSince} isSilent={isSilent} isShort />}
      </p>
      {updated && <ReloadButton>Reload</ReloadButton>}
    </div>
  );
}

interface DisconnectedProps {
  since: number;
  isSilent: boolean;
  /** Hides the time on very narrow screens. */
  isShort?: boolean;
}

const Disconnected = ({ since, isSilent, isShort = false }: DisconnectedProps) => (
  <StateLabel state={{ icon: WifiOff, tone: "warn", label: isSilent ? "Not live" : "Reconnecting" }}>
    <span className={isShort ? "max-[26rem]:hidden" : ""}>
      since <time dateTime={new Date(since).toISOString()}>{timeOfDay.format(since)}</time>
    </span>
  </StateLabel>
);
