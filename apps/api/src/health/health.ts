import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { readOrigin } from "./env";

/** Shorter than what supervisors wait for a check. */
const ANSWER_MS = 3_000;

/**
 * `grove-api health`: whether the API of this machine answers, for supervisors that run a program to find out. A
 * container without a shell has no other.
 * @returns the exit code
 */
export async function health(): Promise<number> {
  const url = `${readOrigin()}/health`;
  try {
    const request = get(url, { agent: false, timeout: ANSWER_MS });
    request.once("timeout", () => request.destroy(new Error(`no answer in ${ANSWER_MS / 1000} s`)));
    const [{ statusCode }] = (await once(request, "response")) as [IncomingMessage];
    request.destroy();
    if (statusCode === 200) return 0;
    process.stderr.write(`${url} answers ${statusCode}.\n`);
  } catch (error) {
    process.stderr.write(`${url} does not answer: ${(error as Error).message}\n`);
  }
  return 1;
}
