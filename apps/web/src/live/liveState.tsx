import { Loader, Radio, WifiOff } from "lucide-react";
import { ReloadButton } from "../app/reloadButton";
import { State } from "../ui/state";
import { useLiveStatus } from "./status";

const clock = new Intl.DateTimeFormat("en", { timeStyle: "short", hour12: false });

/** Whether what is on the screen follows what happens, and since when it does not. */
export function LiveState() {
  const { brokenSince, updated } = useLiveStatus();
  return (
    <div className="flex flex-col gap-2 px-2 text-muted text-xs">
      {updated && <ReloadButton>Grove was updated: reload</ReloadButton>}
      <p role="status">
        {brokenSince === undefined && <State look={{ icon: Loader, tone: "calm", words: "Connecting" }} />}
        {brokenSince === null && <State look={{ icon: Radio, tone: "calm", words: "Live" }} />}
        {typeof brokenSince === "number" && <Broken since={brokenSince} />}
      </p>
    </div>
  );
}

/** For narrow screens, whose sidebar is closed: nothing, unless the stream is broken or Grove was updated. */
export function BrokenState() {
  const { brokenSince, updated } = useLiveStatus();
  return (
    <div className="ml-auto flex items-center gap-2 px-2 text-muted text-xs">
      <p role="status">{typeof brokenSince === "number" && <Broken since={brokenSince} isShort />}</p>
      {updated && <ReloadButton>Reload</ReloadButton>}
    </div>
  );
}

/** @param isShort leaves the time out where there is no room for it */
const Broken = ({ since, isShort = false }: { since: number; isShort?: boolean }) => (
  <State look={{ icon: WifiOff, tone: "warn", words: "Reconnecting" }}>
    <span className={isShort ? "max-[26rem]:hidden" : ""}>
      since <time dateTime={new Date(since).toISOString()}>{clock.format(since)}</time>
    </span>
  </State>
);
