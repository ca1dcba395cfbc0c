import { createHash } from "node:crypto";
import { GroveError } from "@grove/auth";
import { excerptOfLog } from "@grove/integrations";
import { type FailureRoundContent, MAX_ROUND_FAILURES, type PullCheck, visibleName } from "@grove/schemas";
import { projectSecrets } from "../../changes/pulls/projectSecrets";
import type { PullTarget } from "../../changes/pulls/pullTarget";
import { callProvider } from "../../integrations/call";
import { linkOf } from "../../integrations/taskTexts";
import type { Services } from "../../services";

const MAX_NAME = 200;

/** Failed checks, or a failed gate, as an agent gets them. */
export interface Failure extends Pick<FailureRoundContent, "failed" | "more"> {
  /** Equal for the same failure of two commits. */
  fingerprint: string;
}

/** Reads the ends of the logs of failed checks, without the project's secrets. */
export async function readFailure(
  services: Services,
  target: PullTarget,
  checks: readonly PullCheck[],
): Promise<Failure> {
  const secrets = (await projectSecrets(services, target)).map(({ value }) => value);
  const failed: Failure["failed"] = [];
  for (const { id, name, url } of checks.slice(0, MAX_ROUND_FAILURES))
    failed.push({
      name: visibleName(name).slice(0, MAX_NAME).toWellFormed(),
      url: url === null ? null : linkOf(url),
      excerpt: id === null ? null : await readExcerpt(services, target, id, secrets),
    });
  const names = checks.map(({ name }) => name);
  const excerpts = failed.map(({ excerpt }) => excerpt ?? "");
  return { failed, more: checks.length - failed.length, fingerprint: fingerprintOf([...names, ...excerpts]) };
}

/** @returns null if the log cannot be read; the agent then only gets the check's name and address */
async function readExcerpt(
  services: Services,
  { connection, repo }: PullTarget,
  checkId: string,
  secrets: string[],
): Promise<string | null> {
  try {
    const read = await callProvider(services, "codehost", connection, (port) =>
      port.readCheckLog(repo, checkId),
    );
    return read.outcome === "read" ? excerptOfLog(read.log, secrets) : null;
  } catch (error) {
    if (error instanceof GroveError) return null;
    throw error;
  }
}

/** Hashes texts without words that differ between runs of the same check: numbers, times, and ids. */
export const fingerprintOf = (texts: readonly string[]): string =>
  createHash("sha256")
    .update(
      JSON.stringify(texts.map((text) => text.replace(UUID, "").replace(WORD_WITH_DIGIT, "").trim()).sort()),
    )
    .digest("hex");

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const WORD_WITH_DIGIT = /[a-z_]*\d\w*/gi;
