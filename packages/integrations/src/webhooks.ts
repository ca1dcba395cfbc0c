import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Issue } from "@grove/schemas";

/** A request that says to be a provider's. */
export interface Delivery {
  headers: IncomingHttpHeaders;
  /** As it came: signatures are of these bytes. */
  body: Buffer;
}

/** What a delivery is, told from its headers and its parsed body. */
export interface DeliveryFacts {
  /** The provider's own; the same when it delivers once more. Null when it has none. */
  id: string | null;
  /** In the provider's words. */
  type: string;
  /** `owner/name` */
  repo: string | null;
  /** Null when it does not say. */
  sentAt: Date | null;
}

/** What a delivery means here; most mean nothing. */
export type Change =
  | {
      kind: "pull_request_merged";
      repo: { owner: string; name: string };
      title: string;
      body: string;
      /** Null for a fork's, which anyone may name as they like. */
      headBranch: string | null;
      url: string;
    }
  | { kind: "issue_changed"; issue: Issue };

export interface WebhookDefinition {
  /** Older deliveries are refused: how long the provider goes on trying. */
  maxAgeMs: number;
  /** In constant time. */
  isAuthentic(delivery: Delivery, secret: string): boolean;
  /** @throws ZodError for a body that is not the provider's */
  read(headers: IncomingHttpHeaders, payload: unknown): DeliveryFacts;
  /** @throws ZodError for a body that is not the provider's */
  changeOf(type: string, payload: unknown): Change | null;
}

export const hmacSha256 = (secret: string, ...parts: (string | Buffer)[]): string => {
  const hmac = createHmac("sha256", secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest("hex");
};

/** Whether two texts are equal, in a time that does not tell where they differ. */
export function isEqualInConstantTime(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** One header's value; empty when there is none. */
export const header = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name];
  return typeof value === "string" ? value : "";
};
