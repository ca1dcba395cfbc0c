import * as z from "zod";
import { header, hmacSha256, isEqualInConstantTime, type WebhookDefinition } from "../webhooks";
import { toIssue } from "./issue";

const payload = z.object({
  action: z.string(),
  type: z.string(),
  /** Milliseconds since 1970. */
  webhookTimestamp: z.number(),
});

/** linear.app/developers/webhooks */
export const linearWebhooks: WebhookDefinition = {
  // Linear advises a minute. With a clock that is slightly off, that would refuse deliveries, and each is accepted only
  // once anyway.
  maxAgeMs: 5 * 60_000,

  isAuthentic: ({ headers, body }, secret) =>
    isEqualInConstantTime(header(headers, "linear-signature"), hmacSha256(secret, body)),

  read: (headers, body) => {
    const { action, type, webhookTimestamp } = payload.parse(body);
    return {
      id: header(headers, "linear-delivery") || null,
      type: `${type}.${action}`,
      repo: null,
      sentAt: new Date(webhookTimestamp),
    };
  },

  changeOf: (type, body) => {
    if (type !== "Issue.create" && type !== "Issue.update") return null;
    const { data } = z.object({ data: z.unknown() }).parse(body);
    return { kind: "issue_changed", issue: toIssue(data) };
  },
};
