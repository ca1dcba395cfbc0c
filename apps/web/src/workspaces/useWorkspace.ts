import { errorData } from "@grove/client";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../lib/api";

/**
 * Reads a workspace. The error page is shown if it was deleted elsewhere.
 * @param isLeaving disables the query while the page itself deletes the workspace and navigates away
 */
export const useWorkspace = (organizationId: string, id: string, isLeaving = false) =>
  useQuery({
    ...queries.workspace.get.queryOptions({ organizationId, id }),
    enabled: !isLeaving,
    throwOnError: (error) => errorData(error)?.code === "NOT_FOUND",
  });
