import type { EntryGroup } from "../ui/searchDialog";
import {
  useAgentEntries,
  useDeviceEntries,
  useOrganizationEntries,
  useProjectEntries,
  useWorkspaceEntries,
} from "./useItemEntries";
import { useActionEntries, usePageEntries } from "./usePageEntries";

/** Returns the groups that need no search by the API, in the order of the palette. */
export const useEntries = (): EntryGroup[] => [
  useActionEntries(),
  usePageEntries(),
  useAgentEntries(),
  useWorkspaceEntries(),
  useProjectEntries(),
  useDeviceEntries(),
  useOrganizationEntries(),
];
