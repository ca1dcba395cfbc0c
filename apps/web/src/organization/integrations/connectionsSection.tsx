import type { Connection } from "@grove/schemas";
import type { UseQueryResult } from "@tanstack/react-query";
import { CircleCheck, CircleX, Plug, Plus } from "lucide-react";
import { useState } from "react";
import { LoadedList } from "../../components/loadedList";
import { providerNames } from "../../components/providerNames";
import { useOrganization } from "../../hooks/useOrganization";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/emptyState";
import { Section } from "../../ui/section";
import { StateLabel, type StateStyle } from "../../ui/stateLabel";
import { Cell, Row, Table } from "../../ui/table";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { whyNotAdmin } from "../permissions";
import { ConnectDialog } from "./connectDialog";
import { DisconnectDialog } from "./disconnectDialog";

const states: Record<Connection["status"], StateStyle> = {
  connected: { icon: CircleCheck, tone: "good", label: "Connected" },
  reconnect_required: { icon: CircleX, tone: "bad", label: "Connect it again" },
};

const kinds: Record<Connection["kind"], string> = {
  codehost: "Code host",
  tracker: "Issue tracker",
  messenger: "Messenger",
};

/** The connected accounts. */
export function ConnectionsSection({ list }: { list: UseQueryResult<Connection[], { message: string }> }) {
  const organization = useOrganization();
  const reason = whyNotAdmin(organization);
  const [connecting, setConnecting] = useState<Connection["provider"] | "any">();
  const [ending, setEnding] = useState<Connection>();
  const connectButton = (
    <Button look="primary" reason={reason} onClick={() => setConnecting("any")}>
      <Plus aria-hidden="true" className="size-4" />
      Connect an account
    </Button>
  );
  const isEmpty = list.data?.length === 0;
  return (
    <Section title="Accounts" actions={!isEmpty && connectButton}>
      <LoadedList
        list={list}
        failed="Could not load the connected accounts."
        empty={
          <EmptyState icon={Plug} title="No account connected" action={connectButton}>
            A code host completes tasks when their pull requests are merged. An issue tracker's issues become
            tasks. A messenger receives notifications.
          </EmptyState>
        }
      >
        {(connections) => (
          <Table label="Accounts" columns={["Account", "State", "Reports changes", "Connected", "Actions"]}>
            {connections.map((connection) => (
              <Row key={connection.id}>
                <Cell wrap>
                  <VisibleName className="font-medium">{connection.accountName}</VisibleName>
                  <span className="block text-muted text-sm">
                    {providerNames[connection.provider]}, {kinds[connection.kind].toLowerCase()}
                  </span>
                  {connection.scopes && (
                    <span className="block text-muted text-sm">Scopes: {connection.scopes.join(", ")}</span>
                  )}
                </Cell>
                <Cell>
                  <StateLabel state={states[connection.status]} />
                </Cell>
                <Cell quiet>{connection.receivesEvents ? "Yes, by webhook" : "No"}</Cell>
                <Cell quiet>
                  <Time at={connection.createdAt} />
                </Cell>
                <Cell actions>
                  {connection.status === "reconnect_required" && (
                    <Button look="quiet" reason={reason} onClick={() => setConnecting(connection.provider)}>
                      Connect again
                    </Button>
                  )}
                  <Button look="quiet" reason={reason} onClick={() => setEnding(connection)}>
                    Disconnect
                  </Button>
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </LoadedList>
      {connecting && (
        <ConnectDialog
          provider={connecting === "any" ? "github" : connecting}
          onClose={() => setConnecting(undefined)}
        />
      )}
      {ending && <DisconnectDialog connection={ending} onClose={() => setEnding(undefined)} />}
    </Section>
  );
}
