import { queries, queryClient } from "../../lib/api";

/** Reads the pull request again: a refused action shows that it has changed. */
export const refetchPull = () => {
  void queryClient.invalidateQueries(queries.workspace.change.pullStatus.pathFilter());
};
