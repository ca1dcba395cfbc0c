import { useQuery } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { chooseOrganization } from "../lib/lastOrganization";
import { useOptionalOrganization } from "./useOptionalOrganization";

/**
 * The organization that the page shows. On a page without the frame, the one that was looked at last, otherwise the
 * first. Undefined for a person who is in none.
 */
export function useAnyOrganization() {
  const shown = useOptionalOrganization();
  const { data = [] } = useQuery(queries.organization.list.queryOptions());
  return shown ?? chooseOrganization(data);
}
