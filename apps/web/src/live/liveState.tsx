import { Loader, Radio, WifiOff } from "lucide-react";
import { buttonClass } from "../ui/button";
import { State } from "../ui/state";
import { useLiveStatus } from "./status";

const clock = new Intl.DateTimeFormat("en", { timeStyle: "short", hour12: false });

/** Whether what is on the screen follows what happens, and since when it does not. */
export function LiveState() {
  const { brokenSince, updated } = useLiveStatus();
  return (
    <div className="flex flex-col gap-2 px-2 text-muted text-xs">
      {updated && (
        <button type="button" className={buttonClass()} onClick={() => location.reload()}>
          Grove was updated: reload
        </button>
      )}
      <p role="status">
        {brokenSince === undefined && <State look={{ icon: Loader, tone: "calm", words: "Connecting" }} />}
        {brokenSince === null && <State look={{ icon: Radio, tone: "calm", words: "Live" }} />}
        {typeof brokenSince === "number" && <Broken since={brokenSince} />}
      </p>
    </div>
  );
}

/** For narrow screens, whose sidebar is closed: nothing, unless the stream is broken. */
export function BrokenState() {
  const { brokenSince } = useLiveStatus();
  return (
    <p role="status" className="ml-auto px-2 text-muted text-xs">
      {typeof brokenSince === "number" && <Broken since={brokenSince} />}
    </p>
  );
}

const Broken = ({ since }: { since: number }) => (
  <State look={{ icon: WifiOff, tone: "warn", words: "Reconnecting since" }}>
    <time dateTime={new Date(since).toISOString()}>{clock.format(since)}</time>
  </State>
);
