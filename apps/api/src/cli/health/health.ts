import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { messageOf } from "@grove/schemas";
import { readOrigin } from "./env";

/** Shorter than the time that supervisors allow a check. */
const ANSWER_MS = 3_000;

/**
 * `grove-api health`: a health check for supervisors that run a command, such as Docker's HEALTHCHECK in an image
 * without a shell.
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
    process.stderr.write(`${url} does not answer: ${messageOf(error)}\n`);
  }
  return 1;
}
