import type { AuditEvent } from "@grove/schemas";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { queries } from "../../lib/api";
import { membersQuery } from "../../lib/queries/membersQuery";
import { keysQuery } from "../apiKeysQuery";

/**
 * Returns a function that names the actor of an audit event. A key or device that is not in the loaded lists has no
 * name: it may be revoked, or the list may have more pages.
 */
export function useActorNames(organizationId: string): (event: AuditEvent) => string {
  const members = useQuery(membersQuery(organizationId));
  const keys = useInfiniteQuery(keysQuery(organizationId));
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  return ({ actorKind, actorId }) => {
    switch (actorKind) {
      case "user":
        return (
          members.data?.find(({ userId }) => userId === actorId)?.name ??
          (members.data ? "Former member" : "A member")
        );
      case "api_key": {
        const name = keys.data?.pages.flat().find(({ id }) => id === actorId)?.name;
        return name === undefined ? "An API key" : `API key ${name}`;
      }
      case "device": {
        const name = devices.data?.find(({ id }) => id === actorId)?.name;
        return name === undefined ? "A device" : `Device ${name}`;
      }
      case "system":
        return "Grove";
    }
  };
}
