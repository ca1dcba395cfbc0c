import { LinearWebhookClient } from "@linear/sdk/webhooks";
import webhookExamples from "@octokit/webhooks-examples";
import { expect, it } from "vitest";
import { gitHubWebhooks } from "./github/webhooks";
import { gitLabWebhooks } from "./gitlab/webhooks";
import { jiraWebhooks } from "./jira/webhooks";
import { linearWebhooks } from "./linear/webhooks";
import { hmacSha256 } from "./webhooks";

it("GitHub's published example is authentic, and no other", () => {
  // docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries, "Testing the webhook payload validation"
  const secret = "It's a Secret to Everybody";
  const signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
  const isAuthentic = (body: string, given: string | undefined, key = secret) =>
    gitHubWebhooks.isAuthentic({ headers: { "x-hub-signature-256": given }, body: Buffer.from(body) }, key);
  expect(isAuthentic("Hello, World!", signature)).toBe(true);
  expect(isAuthentic("Hello, World?", signature)).toBe(false);
  expect(isAuthentic("Hello, World!", signature, "another")).toBe(false);
  expect(isAuthentic("Hello, World!", signature.toUpperCase())).toBe(false);
  expect(isAuthentic("Hello, World!", undefined)).toBe(false);
});

const pullRequestTypes = new Set([
  ...["pull_request.opened", "pull_request.closed", "pull_request.reopened", "pull_request.edited"],
  ...["pull_request.synchronize", "pull_request.converted_to_draft", "pull_request.ready_for_review"],
]);

const checksTypes = /^(check_run|check_suite|status|pull_request_review)(\.|$)/;

it("every example that GitHub publishes can be read, and only pull requests, their checks and moved repositories mean anything", () => {
  let read = 0;
  for (const { name, examples } of webhookExamples)
    for (const payload of examples) {
      const { type } = gitHubWebhooks.read({ "x-github-event": name }, payload);
      expect(type.startsWith(name)).toBe(true);
      const change = gitHubWebhooks.changeOf(type, payload);
      const isMove = type === "repository.renamed" || type === "repository.transferred";
      if (checksTypes.test(type))
        expect(change).toMatchObject({
          kind: "checks_changed",
          head: expect.stringMatching(/^[0-9a-f]{40}$/),
        });
      else expect(change !== null).toBe(isMove || pullRequestTypes.has(type));
      read += 1;
    }
  expect(read).toBeGreaterThan(100);
});

it("accepts exactly the deliveries that Linear's own library accepts", () => {
  const secret = "lin_wh_0123456789";
  const body = Buffer.from(JSON.stringify({ action: "update", type: "Issue", webhookTimestamp: Date.now() }));
  const signature = hmacSha256(secret, body);
  expect(new LinearWebhookClient(secret).verify(body, signature)).toBe(true);
  const isAuthentic = (given: string) =>
    linearWebhooks.isAuthentic({ headers: { "linear-signature": given }, body }, secret);
  expect(isAuthentic(signature)).toBe(true);
  expect(isAuthentic(hmacSha256("another", body))).toBe(false);
  expect(isAuthentic("")).toBe(false);
});

it("Jira's published example is authentic, and no other", () => {
  // developer.atlassian.com/cloud/jira/software/webhooks, "Testing the webhook payload validation"
  const secret = "It's a Secret to Everybody";
  const given = "sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9";
  const isAuthentic = (body: string) =>
    jiraWebhooks.isAuthentic({ headers: { "x-hub-signature": given }, body: Buffer.from(body) }, secret);
  expect(isAuthentic("Hello World!")).toBe(true);
  expect(isAuthentic("Hello, World!")).toBe(false);
});

it("requires GitLab's secret, and all of it", () => {
  const isAuthentic = (given: string | undefined) =>
    gitLabWebhooks.isAuthentic({ headers: { "x-gitlab-token": given }, body: Buffer.alloc(0) }, "secret");
  expect([
    isAuthentic("secret"),
    isAuthentic("secre"),
    isAuthentic("secret "),
    isAuthentic(undefined),
  ]).toEqual([true, false, false, false]);
});
