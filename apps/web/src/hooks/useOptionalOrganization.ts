import { useMatch } from "@tanstack/react-router";
import type { useOrganization } from "./useOrganization";

type Organization = ReturnType<typeof useOrganization>;

/** Returns the page's organization; undefined on pages outside an organization. */
export function useOptionalOrganization(): Organization | undefined {
  const match = useMatch({ from: "/signed-in/o/$organization", shouldThrow: false });
  // The context has no organization if the address names an unknown one.
  return match?.context.organization;
}
