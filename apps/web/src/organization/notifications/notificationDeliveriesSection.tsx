import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { DELIVERIES_POLL_MS } from "../../lib/queries/pollIntervals";
import { Problem } from "../../ui/problem";
import { Section } from "../../ui/section";
import { Cell, Row, Table } from "../../ui/table";
import { Time } from "../../ui/time";
import { channelLabels, deliveryLabels, kindLabels } from "./notificationLabels";

/** The last notifications to the user, and whether they were sent. */
export function NotificationDeliveriesSection() {
  const { id: organizationId } = useOrganization();
  const list = useQuery(
    queries.user.listNotificationDeliveries.queryOptions(
      { organizationId },
      { refetchInterval: DELIVERIES_POLL_MS },
    ),
  );
  const { data = [] } = list;
  return (
    <Section title="Recent notifications">
      {list.error && <Problem title="Could not load your notifications." error={list.error} />}
      {data.length === 0 ? (
        <p className="text-muted">No notifications yet.</p>
      ) : (
        <Table label="Recent notifications" columns={["Event", "Channel", "State", "When"]}>
          {data.map(({ id, kind, channel, state, error, createdAt }) => (
            <Row key={id}>
              <Cell wrap>{kind === "test" ? "Test" : kindLabels[kind]}</Cell>
              <Cell quiet>{channelLabels[channel]}</Cell>
              <Cell wrap>
                {deliveryLabels[state]}
                {error !== null && <span className="text-muted">: {error}</span>}
              </Cell>
              <Cell quiet>
                <Time at={createdAt} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  );
}
