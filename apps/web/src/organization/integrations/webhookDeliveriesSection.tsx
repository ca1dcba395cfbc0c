import { DELIVERY_DAYS } from "@grove/schemas";
import { useInfiniteQuery } from "@tanstack/react-query";
import { providerNames } from "../../components/providerNames";
import { ShowMore } from "../../components/showMore";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { useOrganization } from "../../hooks/useOrganization";
import { client, queries } from "../../lib/api";
import { pagesQuery } from "../../lib/queries/pagesQuery";
import { DELIVERIES_POLL_MS } from "../../lib/queries/pollIntervals";
import { Button } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { Section } from "../../ui/section";
import { StateLabel } from "../../ui/stateLabel";
import { Cell, Row, Table } from "../../ui/table";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { whyNotAdmin } from "../permissions";
import { eventStates } from "./integrationLabels";

/** The deliveries of the providers' webhooks that are still kept. A delivery that was given up can be tried again. */
export function WebhookDeliveriesSection() {
  const organization = useOrganization();
  const { id: organizationId } = organization;
  const list = useInfiniteQuery({
    ...pagesQuery({
      queryKey: [...queries.integration.listEvents.pathKey(), "pages", organizationId],
      list: (page) => client.integration.listEvents.query({ organizationId, ...page }),
      limit: 50,
    }),
    refetchInterval: DELIVERIES_POLL_MS,
  });
  const replay = useMutationWithRefetch(queries.integration.replayEvent.mutationOptions(), {
    refetch: [queries.integration.listEvents.pathFilter()],
  });
  const events = list.data?.pages.flat();
  return (
    <Section title="Deliveries">
      {list.error && (
        <Problem
          title="Could not load the deliveries."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {replay.error && <Problem title="Could not try the delivery again." error={replay.error} />}
      {events?.length === 0 && <p className="text-muted">No deliveries in the last {DELIVERY_DAYS} days.</p>}
      {events && events.length > 0 && (
        <Table label="Deliveries" columns={["Event", "From", "State", "When", "Actions"]}>
          {events.map((event) => (
            <Row key={event.id}>
              <Cell wrap>
                <VisibleName className="font-mono text-sm">{event.type}</VisibleName>
                {event.repo !== null && (
                  <VisibleName className="block text-muted text-sm">{event.repo}</VisibleName>
                )}
              </Cell>
              <Cell quiet>{providerNames[event.provider]}</Cell>
              <Cell>
                <StateLabel state={eventStates[event.status]} />
              </Cell>
              <Cell quiet>
                <Time at={event.receivedAt} />
              </Cell>
              <Cell actions>
                {event.status === "dead" && (
                  <Button
                    look="quiet"
                    reason={whyNotAdmin(organization)}
                    busy={replay.isPending && replay.variables.id === event.id}
                    onClick={() => replay.mutate({ organizationId, id: event.id })}
                  >
                    Try again
                  </Button>
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <ShowMore list={list} />
    </Section>
  );
}
