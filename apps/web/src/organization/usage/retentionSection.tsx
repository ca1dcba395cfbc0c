import type { AnalyticsCohort, AnalyticsInterval } from "@grove/schemas";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDebounced } from "../../hooks/useDebounced";
import { queries } from "../../lib/api";
import { Problem } from "../../ui/problem";
import { Section } from "../../ui/section";
import { Cell, Row, Table } from "../../ui/table";
import { EventField } from "./eventField";
import { type ReportInput, timeZone } from "./range";

/** The most intervals that a table shows side by side. */
const MAX_COLUMNS = 8;

interface RetentionSectionProps {
  input: ReportInput;
  interval: AnalyticsInterval;
}

/** Shows how many users repeat an event in each interval after their first time. */
export function RetentionSection({ input, interval }: RetentionSectionProps) {
  const [chosen, setChosen] = useState("");
  const event = useDebounced(chosen);
  const cohorts = useQuery({
    ...queries.analytics.retention.queryOptions(
      { ...input, interval, timeZone, event },
      { enabled: event !== "", placeholderData: keepPreviousData },
    ),
  });
  const rows = cohorts.data?.filter(({ users }) => users > 0) ?? [];
  const width = Math.min(MAX_COLUMNS, Math.max(0, ...rows.map(({ retained }) => retained.length)));
  const later = Array.from({ length: width }, (_, index) =>
    index === 0 ? `Same ${interval}` : `${index} ${interval}${index === 1 ? "" : "s"} later`,
  );
  return (
    <Section title="Retention">
      <div className="max-w-72 pb-3">
        <EventField label="Event" value={chosen} onChange={setChosen} input={input} />
      </div>
      {cohorts.error && <Problem title="Could not load the retention." error={cohorts.error} />}
      {event === "" && <p className="text-muted">Choose the event that counts as coming back.</p>}
      {event !== "" && cohorts.data && rows.length === 0 && (
        <p className="text-muted">No user did this in this period.</p>
      )}
      {event !== "" && rows.length > 0 && (
        <Table label="Retention" columns={["From", "Users", ...later]}>
          {rows.map((cohort) => (
            <CohortRow key={cohort.start} cohort={cohort} width={width} />
          ))}
        </Table>
      )}
    </Section>
  );
}

const CohortRow = ({ cohort, width }: { cohort: AnalyticsCohort; width: number }) => (
  <Row>
    <Cell>{cohort.start}</Cell>
    <Cell>{cohort.users}</Cell>
    {Array.from({ length: width }, (_, index) => {
      const retained = cohort.retained[index];
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
        <Cell key={index} quiet={!retained}>
          {retained === undefined ? "" : `${Math.round((retained / cohort.users) * 100)} %`}
        </Cell>
      );
    })}
  </Row>
);
