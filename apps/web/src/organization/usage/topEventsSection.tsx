import { useQuery } from "@tanstack/react-query";
import { LoadedList } from "../../components/loadedList";
import { queries } from "../../lib/api";
import { Section } from "../../ui/section";
import { Cell, Row, Table } from "../../ui/table";
import { VisibleName } from "../../ui/visibleName";
import type { ReportInput } from "./range";
import { ShareBar } from "./shareBar";

/** The most frequent events. */
export function TopEventsSection({ input }: { input: ReportInput }) {
  const list = useQuery(queries.analytics.topEvents.queryOptions(input));
  const maxCount = list.data?.[0]?.count ?? 1;
  return (
    <Section title="Most frequent events">
      <LoadedList
        list={list}
        failed="Could not load the most frequent events."
        empty={<p className="text-muted">No events in this time.</p>}
      >
        {(events) => (
          <Table label="Most frequent events" columns={["Event", "Events", "Users", "Share"]}>
            {events.map(({ event, count, users }) => (
              <Row key={event}>
                <Cell wrap>
                  <VisibleName className="wrap-anywhere font-mono text-sm">{event}</VisibleName>
                </Cell>
                <Cell>{count}</Cell>
                <Cell>{users}</Cell>
                <Cell>
                  <ShareBar share={count / maxCount} />
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </LoadedList>
    </Section>
  );
}
