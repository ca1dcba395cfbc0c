import type { AnalyticsInterval } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { queries } from "../../lib/api";
import { lazily } from "../../lib/browser/lazily";
import { Problem } from "../../ui/problem";
import { Section } from "../../ui/section";
import { Skeleton } from "../../ui/skeleton";
import { Cell, Row, Table } from "../../ui/table";
import { type ReportInput, timeZone } from "./range";

// Loaded lazily, because the plotting library is larger than the rest of the console.
const TrendChart = lazily(async () => (await import("./trendChart")).TrendChart);

interface TrendSectionProps {
  input: ReportInput;
  interval: AnalyticsInterval;
}

/** How many events happened in each interval, and to how many users: as a plot, and as a table. */
export function TrendSection({ input, interval }: TrendSectionProps) {
  const trend = useQuery(queries.analytics.trend.queryOptions({ ...input, interval, timeZone }));
  const points = trend.data?.[0]?.points ?? [];
  const isEmpty = points.every(({ count }) => count === 0);
  return (
    <Section title={`Events by ${interval}`}>
      {trend.error && (
        <Problem
          title="Could not load the events."
          error={trend.error}
          onRetry={() => void trend.refetch()}
        />
      )}
      {trend.isPending && <Skeleton />}
      {trend.data && isEmpty && (
        <p className="text-muted">No events in this time. Programs send them with analytics.track.</p>
      )}
      {trend.data && !isEmpty && (
        <>
          <Suspense fallback={<div className="h-64" />}>
            <TrendChart points={points} interval={interval} />
          </Suspense>
          <details className="mt-2">
            <summary className="cursor-pointer text-muted text-sm">Show as a table</summary>
            <Table label={`Events by ${interval}`} columns={["From", "Events", "Users"]}>
              {points.map(({ start, count, users }) => (
                <Row key={start}>
                  <Cell>{start}</Cell>
                  <Cell>{count}</Cell>
                  <Cell>{users}</Cell>
                </Row>
              ))}
            </Table>
          </details>
        </>
      )}
    </Section>
  );
}
