// In its own file, so that the console can import it without zod.

/**
 * The events with which the console creates a webhook, by code host: those of pull requests, their reviews and their
 * checks. `packages/integrations` reads them in `github/webhooks.ts` and `gitlab/webhooks.ts`.
 */
export const codehostWebhookEvents = {
  github: ["pull_request", "pull_request_review", "check_run", "status"],
  gitlab: ["pull_request", "pipeline"],
};
