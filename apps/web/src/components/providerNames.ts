import type { IntegrationProvider } from "@grove/schemas";

/** The names of the providers. */
export const providerNames = {
  github: "GitHub",
  gitlab: "GitLab",
  linear: "Linear",
  jira: "Jira",
  slack: "Slack",
  discord: "Discord",
} satisfies Record<IntegrationProvider, string>;
