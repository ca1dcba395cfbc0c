import type { Device } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { queries } from "../lib/api";

/** Returns the current user's online devices. */
export function useOwnDevices(): Device[] {
  const { id: organizationId } = useOrganization();
  const user = useUser();
  const { data = [] } = useQuery(queries.device.list.queryOptions({ organizationId }));
  return data.filter(({ ownerId, status }) => ownerId === user.id && status === "online");
}
