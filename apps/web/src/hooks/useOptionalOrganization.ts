import { useMatch } from "@tanstack/react-router";
import type { useOrganization } from "./useOrganization";

type Organization = ReturnType<typeof useOrganization>;

/** The organization whose frame is around the page; undefined on a page without a frame. */
export function useOptionalOrganization(): Organization | undefined {
  const match = useMatch({ from: "/signed-in/o/$organization", shouldThrow: false });
  // It is missing if there is no such organization.
  return match?.context.organization;
}
