import type { AuditEvent } from "@grove/schemas";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { queries } from "../../lib/api";
import { membersQuery } from "../../lib/queries/membersQuery";
import { keysQuery } from "../apiKeysQuery";

/** Returns the known actors, as options of a filter, and a function that names the actor of an audit event. */
export function useActors(organizationId: string) {
  const { data: members } = useQuery(membersQuery(organizationId));
  const { data: keys } = useInfiniteQuery(keysQuery(organizationId));
  const { data: devices = [] } = useQuery(queries.device.list.queryOptions({ organizationId }));
  const options = [
    ...(members ?? []).map(({ userId, name }) => ({ value: userId, title: name })),
    ...(keys?.pages.flat() ?? []).map(({ id, name }) => ({ value: id, title: `API key ${name}` })),
    ...devices.map(({ id, name }) => ({ value: id, title: `Device ${name}` })),
  ];
  /** An actor that is not in the loaded lists has no name: it may be revoked, or the list may have more pages. */
  const unknown = {
    user: members ? "Former member" : "A member",
    api_key: "An API key",
    device: "A device",
    system: "Grove",
  } satisfies Record<AuditEvent["actorKind"], string>;
  return {
    options,
    nameOf: ({ actorKind, actorId }: AuditEvent): string =>
      options.find(({ value }) => value === actorId)?.title ?? unknown[actorKind],
  };
}
