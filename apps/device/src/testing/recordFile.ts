import { stat } from "node:fs/promises";
import { until } from "@grove/testing/until";
import { CLOCK_SLACK_MS } from "../sessions/activity/recordFile";

/** Waits until a file is so old that it was certainly made before a session that starts now. */
export const olderThanSlack = (path: string) =>
  until(async () => Date.now() - (await stat(path)).birthtimeMs > CLOCK_SLACK_MS + 500, "the file is old");
