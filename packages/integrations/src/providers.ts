import type { IntegrationProvider } from "@grove/schemas";
import type { Provider } from "./defineProvider";
import { discord } from "./discord";
import { github } from "./github";
import { gitlab } from "./gitlab";
import { jira } from "./jira";
import { linear } from "./linear";
import { slack } from "./slack";

/** All providers. A new one needs a folder beside these, a line here, and its name in packages/schemas. */
export const providers: Record<IntegrationProvider, Provider> = {
  github,
  gitlab,
  linear,
  jira,
  slack,
  discord,
};

/** The providers whose accounts can be connected by OAuth, once the operator has registered an app there. */
export const oauthProviders = (Object.keys(providers) as IntegrationProvider[]).filter(
  (name) => providers[name].oauth !== undefined,
);
