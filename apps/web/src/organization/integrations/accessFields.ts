import type { IntegrationProvider } from "@grove/schemas";

interface AccessFields {
  /** A description of the token and of its required permissions. */
  token: string;
  /** The label of the address, if the provider has more than one site. */
  address?: { label: string; hint: string; isRequired?: boolean };
  needsEmail?: boolean;
  /** Whether the provider has a page on which a person grants access. */
  hasAuthorization: boolean;
}

/** The credentials that each provider needs, as in packages/integrations/README.md. */
export const accessFields: Record<IntegrationProvider, AccessFields> = {
  github: {
    token: "A personal access token with access to the repositories. Webhooks also require admin:repo_hook.",
    address: { label: "Address", hint: "Only for GitHub Enterprise Server." },
    hasAuthorization: true,
  },
  gitlab: {
    token:
      "A personal, group or project access token with the scope api. Webhooks also require the role Maintainer.",
    address: { label: "Address", hint: "Only for a self-managed GitLab." },
    hasAuthorization: true,
  },
  linear: { token: "A personal API key. Webhooks require an admin's key.", hasAuthorization: true },
  jira: {
    token: "An API token of id.atlassian.com. Webhooks require an administrator's token.",
    address: { label: "Site", hint: "https://….atlassian.net", isRequired: true },
    needsEmail: true,
    hasAuthorization: true,
  },
  slack: {
    token: "A bot token (xoxb-…) with the scopes chat:write, channels:read and groups:read.",
    hasAuthorization: true,
  },
  discord: {
    token: "The token of a bot that may send messages in the channels.",
    hasAuthorization: false,
  },
};
