import { type AnchorPlace, MAX_ANCHORS, type ReviewComment } from "@grove/schemas";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { runTool } from "../../lib/commands/deviceTools";
import { comparedWith, type DiffInput } from "../view/diffQuery";

/**
 * Finds where the files and lines of comments are now. Resolved comments are left out.
 * @param readAt when the changes on the screen were read
 */
export function usePlaces(
  { target, workspaceId, against }: Pick<DiffInput, "target" | "workspaceId" | "against">,
  comments: readonly ReviewComment[],
  readAt: number,
): ReadonlyMap<string, AnchorPlace> {
  const open = comments.filter(({ state }) => state !== "resolved").slice(-MAX_ANCHORS);
  const anchors = open.map(({ anchor }) => anchor);
  const ids = open.map(({ id }) => id);
  const { data } = useQuery({
    queryKey: ["deviceTool", target.deviceId, "resolve_anchors", workspaceId, against, ids, readAt],
    queryFn:
      anchors.length === 0
        ? skipToken
        : async ({ signal }) => {
            const params = { workspaceId, anchors, against: comparedWith(against) };
            const { places } = await runTool(target, "resolve_anchors", params, { signal });
            return places.map((place, index) => [ids[index] ?? "", place] as const);
          },
    // While places are read again, the earlier ones are shown.
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
  return new Map(data);
}
