import type { Credentials } from "../credentials";
import type { ReadLog } from "../network/readLog";
import type { CheckLogOutcome } from "../ports";
import { outcomeOfLog } from "../pulls";

/** Reads the log of a job. GitLab's client would keep all of it. */
export const readCheckLog = (
  readLog: ReadLog,
  address: string,
  credentials: Exclude<Credentials, { type: "app" }>,
): Promise<CheckLogOutcome> =>
  outcomeOfLog(() =>
    readLog(
      address,
      credentials.type === "token"
        ? { "private-token": credentials.token }
        : { authorization: `Bearer ${credentials.accessToken}` },
    ),
  );
