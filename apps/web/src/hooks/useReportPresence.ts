import { useEffect } from "react";
import { client } from "../lib/api";

/** The server considers a user present for 45 s. */
const EVERY_MS = 20_000;

/** Reports the user as present while this tab has the focus. The server sends a present user no push notifications. */
export function useReportPresence(): void {
  useEffect(() => {
    const report = () => {
      // A lost report only means that a push is sent.
      if (document.hasFocus()) client.user.reportPresence.mutate().catch(() => undefined);
    };
    report();
    const timer = setInterval(report, EVERY_MS);
    addEventListener("focus", report);
    return () => {
      clearInterval(timer);
      removeEventListener("focus", report);
    };
  }, []);
}
