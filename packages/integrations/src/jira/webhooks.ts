import { DAY_MS } from "@grove/schemas";
import * as z from "zod";
import { header, hmacSha256, isEqualInConstantTime, type WebhookDefinition } from "../webhooks";
import { toIssue } from "./issue";

const payload = z.object({
  /** Milliseconds since 1970. */
  timestamp: z.number(),
  webhookEvent: z.string(),
});

/** developer.atlassian.com/cloud/jira/platform/webhooks */
export const jiraWebhooks: WebhookDefinition = {
  maxAgeMs: DAY_MS,

  isAuthentic: ({ headers, body }, secret) =>
    isEqualInConstantTime(header(headers, "x-hub-signature"), `sha256=${hmacSha256(secret, body)}`),

  read: (headers, body) => {
    const { timestamp, webhookEvent } = payload.parse(body);
    return {
      id: header(headers, "x-atlassian-webhook-identifier") || null,
      type: webhookEvent,
      repo: null,
      sentAt: new Date(timestamp),
    };
  },

  changeOf: (type, body) => {
    if (type !== "jira:issue_created" && type !== "jira:issue_updated") return null;
    const { issue } = z.object({ issue: z.unknown() }).parse(body);
    return { kind: "issue_changed", issue: toIssue(issue) };
  },
};
