import type { NotificationRule } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { Problem } from "../../ui/problem";
import { Select } from "../../ui/select";

/** The connection and the channel of a rule for a messenger, as fields of its form. */
export function MessengerFields({ rule }: { rule: NotificationRule | undefined }) {
  const { id: organizationId } = useOrganization();
  const connections = useQuery(queries.integration.list.queryOptions({ organizationId }));
  const messengers = (connections.data ?? []).filter(({ kind }) => kind === "messenger");
  const [chosen, setChosen] = useState<string>();
  const connectionId = chosen ?? messengers[0]?.id ?? "";
  const channels = useQuery({
    ...queries.integration.messenger.listChannels.queryOptions({ organizationId, connectionId }),
    enabled: connectionId !== "",
  });
  const [channel, setChannel] = useState("");
  const error = connections.error ?? channels.error;
  if (error) return <Problem title="Could not load the channels." error={error} />;
  if (connections.isSuccess && messengers.length === 0)
    return <p className="text-muted">No messenger is connected. An admin can connect one over the API.</p>;
  return (
    <>
      {messengers.length > 1 && (
        <Select
          label="Messenger"
          value={connectionId}
          onChange={(id) => {
            setChosen(id);
            setChannel("");
          }}
          options={messengers.map(({ id, accountName }) => ({ value: id, title: accountName }))}
        />
      )}
      <Select
        label="Channel"
        value={channel}
        onChange={setChannel}
        disabled={!channels.isSuccess}
        options={[
          { value: "", title: rule ? `Now ${rule.target}` : "Choose a channel" },
          ...(channels.data ?? []).map(({ id, name }) => ({ value: id, title: name })),
        ]}
      />
      <input type="hidden" name="connectionId" value={connectionId} />
      <input type="hidden" name="messengerChannel" value={channel} />
    </>
  );
}
