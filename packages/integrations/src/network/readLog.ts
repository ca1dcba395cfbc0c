import { ProviderError } from "../errors";
import { errorFor, type FetchOptions, parseJson, redacted, withRetries } from "./fetch";
import { type LogTail, readLogTail } from "./logTail";
import { sendRequest } from "./sendRequest";

/**
 * Reads the end of a log.
 * @param headers the credentials; omitted for an address that a provider signed, which may be of any origin
 * @returns undefined if the log is too long to be read to its end
 * @throws {ProviderError} `not_found` if the log no longer exists; `address_refused`
 */
export type ReadLog = (url: string, headers?: Record<string, string>) => Promise<LogTail | undefined>;

/** The {@link ReadLog} of a call, through the same network and with the same retries as its `fetch`. */
export function createReadLog({ network, deadline, secrets, readError }: FetchOptions): ReadLog {
  return (url, headers) => {
    if (!URL.canParse(url)) throw new ProviderError("bad_answer", { detail: "its log has no address" });
    network.checkHost(new URL(url));
    return withRetries("GET", deadline, async () => {
      const request = new Request(url, { headers: headers ?? {} });
      const answer = await sendRequest(network, request, undefined, deadline, readLogTail);
      const { status } = answer;
      if (status >= 200 && status < 300) return answer.body;
      if (headers === undefined) throw storageError(status);
      const json = parseJson(answer.body?.text ?? "", false);
      throw redacted(errorFor({ status, headers: answer.headers, json }, readError), secrets);
    });
  };
}

/** A refusal by the storage of logs says nothing about the provider's credentials, which it did not get. */
function storageError(status: number): ProviderError {
  if (status === 404 || status === 410) return new ProviderError("not_found", { status });
  return new ProviderError("unavailable", { detail: `the storage of its logs answered status ${status}` });
}
