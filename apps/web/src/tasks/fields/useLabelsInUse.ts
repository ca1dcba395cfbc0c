import { useQuery } from "@tanstack/react-query";
import { useOrganization, useUser } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { listInput } from "../filter/taskFilters";
import { labelsOf } from "../taskQueries";

/** Returns the labels of the organization's tasks, as far as the board lists them. */
export function useLabelsInUse(enabled: boolean): string[] {
  const { id: organizationId } = useOrganization();
  const { id: me } = useUser();
  // The query of the board without a filter, which is mostly cached.
  const input = listInput(organizationId, me, {});
  return labelsOf(useQuery({ ...queries.task.list.queryOptions(input), enabled }).data ?? []);
}
