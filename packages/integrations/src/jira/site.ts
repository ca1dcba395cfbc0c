import * as z from "zod";
import type { CallContext } from "../defineProvider";
import { ProviderError } from "../errors";

const sites = z.array(z.object({ id: z.string(), url: z.string() }));

/** The site that a grant covers: developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps. */
export async function readSite(accessToken: string, { apiUrl, fetch }: CallContext) {
  const response = await fetch(`${apiUrl}/oauth/token/accessible-resources`, {
    headers: { authorization: `Bearer ${accessToken}`, accept: "application/json" },
  });
  const [site] = sites.parse(await response.json());
  if (!site) throw new ProviderError("forbidden", { detail: "the grant covers no site" });
  return site;
}
