import { Loader, Radio, WifiOff } from "lucide-react";
import { ReloadButton } from "../components/reloadButton";
import { State } from "../ui/state";
import { useLiveStatus } from "./liveStatus";

const clock = new Intl.DateTimeFormat("en", { timeStyle: "short", hour12: false });

/** Shows whether the page is live, and otherwise since when it is not. */
export function LiveIndicator() {
  const { brokenSince, isSilent, updated } = useLiveStatus();
  return (
    <div className="flex flex-col gap-2 px-2 text-muted text-xs">
      {updated && <ReloadButton>Grove was updated: reload</ReloadButton>}
      <p role="status">
        {brokenSince === undefined && <State look={{ icon: Loader, tone: "calm", words: "Connecting" }} />}
        {brokenSince === null && <State look={{ icon: Radio, tone: "calm", words: "Live" }} />}
        {typeof brokenSince === "number" && <Broken since={brokenSince} isSilent={isSilent} />}
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
export function BrokenIndicator() {
  const { brokenSince, isSilent, updated } = useLiveStatus();
  return (
    <div className="ml-auto flex items-center gap-2 px-2 text-muted text-xs">
      <p role="status">
        {typeof brokenSince === "number" && <Broken since={brokenSince} isSilent={isSilent} isShort />}
      </p>
      {updated && <ReloadButton>Reload</ReloadButton>}
    </div>
  );
}

interface BrokenProps {
  since: number;
  isSilent: boolean;
  /** Hides the time on very narrow screens. */
  isShort?: boolean;
}

const Broken = ({ since, isSilent, isShort = false }: BrokenProps) => (
  <State look={{ icon: WifiOff, tone: "warn", words: isSilent ? "Not live" : "Reconnecting" }}>
    <span className={isShort ? "max-[26rem]:hidden" : ""}>
      since <time dateTime={new Date(since).toISOString()}>{clock.format(since)}</time>
    </span>
  </State>
);
