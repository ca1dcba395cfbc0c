import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Issue, PullState } from "@grove/schemas";
import type { RepoRef } from "./ports";

/** A request that claims to be a provider's. */
export interface Delivery {
  headers: IncomingHttpHeaders;
  /** The raw bytes, which the signature covers. */
  body: Buffer;
}

/** The facts of a delivery, from its headers and its parsed body. */
export interface DeliveryFacts {
  /** The provider's id of the delivery, which a redelivery repeats. Null if the provider sends none. */
  id: string | null;
  /** The provider's name of the event. */
  type: string;
  /** `owner/name` */
  repo: string | null;
  /** Null if the delivery does not state it. */
  sentAt: Date | null;
}

/** A repository as a delivery describes it. */
export interface DeliveredRepo extends RepoRef {
  /** The provider's own id, which stays when the repository is renamed or moved; null if the delivery has none. */
  id: string | null;
  /** The repository's page. */
  url: string;
  /** When it had this name; null if the delivery does not state it. */
  asOf: Date | null;
}

/** The change that a delivery implies. Most imply none. */
export type DeliveredChange =
  | {
      kind: "pull_request_changed";
      repo: DeliveredRepo;
      /** Unique in the repository. */
      number: number;
      title: string;
      body: string;
      state: PullState;
      /** When it was last changed; null if the delivery does not state it. */
      asOf: Date | null;
      /** When it was merged; null if it was not, or if the delivery does not state it. */
      mergedAt: Date | null;
      /** Null for the branch of a fork, whose name anyone can choose. */
      headBranch: string | null;
      /** The branch that it is to be merged into. */
      baseBranch: string;
      /** The repository's own default branch; null if the delivery does not state it. */
      defaultBranch: string | null;
      url: string;
    }
  | {
      kind: "repository_moved";
      /** The repository's former name. */
      from: RepoRef;
      repo: DeliveredRepo;
    }
  | {
      /** Checks or reviews of a commit. The delivery's own state of them may be overtaken, so it is not used. */
      kind: "checks_changed";
      repo: DeliveredRepo;
      head: string;
    }
  | { kind: "issue_changed"; issue: Issue };

export interface WebhookDefinition {
  /** Older deliveries are refused. The provider stops retrying after this time. */
  maxAgeMs: number;
  /** Takes constant time. */
  isAuthentic(delivery: Delivery, secret: string): boolean;
  /** @throws {ZodError} for a body that is not the provider's */
  read(headers: IncomingHttpHeaders, payload: unknown): DeliveryFacts;
  /** @throws {ZodError} for a body that is not the provider's */
  changeOf(type: string, payload: unknown): DeliveredChange | null;
}

export const hmacSha256 = (secret: string, ...parts: (string | Buffer)[]): string => {
  const hmac = createHmac("sha256", secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest("hex");
};

/** Whether two texts are equal. The time that it takes does not depend on where they differ. */
export function isEqualInConstantTime(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The value of one header; empty if it is missing. */
export const header = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name];
  return typeof value === "string" ? value : "";
};
