import { queries, queryClient } from "../../lib/api";
import type { WorkspaceSearch } from "../workspaceSearch";
import { diffQuery } from "./diffQuery";
import { isWide, rightSideIsVisible } from "./pageLayout";

/** Starts to read the changes that the workspace's page will show. */
export async function prefetchDiff(
  { organizationId, id }: { organizationId: string; id: string },
  search: WorkspaceSearch,
): Promise<void> {
  if (search.side === "files" || !rightSideIsVisible(search, isWide())) return;
  const [{ deviceId }, devices] = await Promise.all([
    queryClient.ensureQueryData(queries.workspace.get.queryOptions({ organizationId, id })),
    queryClient.ensureQueryData(queries.device.list.queryOptions({ organizationId })),
  ]);
  const isOnline = devices.some((device) => device.id === deviceId && device.status === "online");
  if (deviceId === null || !isOnline) return;
  const target = { organizationId, deviceId };
  const { against = "base", space } = search;
  // The page first reads what the user has seen.
  if (against === "seen") return;
  const ignoreWhitespace = space === "ignore";
  await queryClient.prefetchQuery(diffQuery({ target, workspaceId: id, against, ignoreWhitespace }));
}
