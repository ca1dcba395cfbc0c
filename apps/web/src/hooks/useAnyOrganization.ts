import { useQuery } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { chooseOrganization } from "../lib/browser/lastOrganization";
import { useOptionalOrganization } from "./useOptionalOrganization";

/**
 * Returns the page's organization. Pages outside an organization get the last visited one, or the first. Undefined for
 * a user without organizations.
 */
export function useAnyOrganization() {
  const current = useOptionalOrganization();
  const { data = [] } = useQuery(queries.organization.list.queryOptions());
  return current ?? chooseOrganization(data);
}
