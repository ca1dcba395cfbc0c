import { errorData } from "@grove/client";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../lib/api";

/**
 * A workspace. If somebody deletes it, the page shows that there is nothing any more.
 * @param isLeaving the page deletes it, and is left as soon as it is gone: until then it is not asked for
 */
export const useWorkspace = (organizationId: string, id: string, isLeaving = false) =>
  useQuery({
    ...queries.workspace.get.queryOptions({ organizationId, id }),
    enabled: !isLeaving,
    throwOnError: (error) => errorData(error)?.code === "NOT_FOUND",
  });
