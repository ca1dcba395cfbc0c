import type { AnalyticsInterval, AnalyticsSeries } from "@grove/schemas";
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";

interface TrendChartProps {
  points: AnalyticsSeries["points"];
  interval: AnalyticsInterval;
}

/** Bars for events and a line for users, in the colours of the theme. */
export function TrendChart({ points, interval }: TrendChartProps) {
  return (
    <figure aria-label={`Events and users by ${interval}`} className="m-0">
      <div className="h-64" aria-hidden="true">
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart
            data={points}
            accessibilityLayer={false}
            margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          >
            <CartesianGrid stroke="var(--color-line)" vertical={false} />
            <XAxis dataKey="start" tickFormatter={dayLabel} minTickGap={24} {...axis} />
            <YAxis allowDecimals={false} width={44} {...axis} />
            <Tooltip
              isAnimationActive={false}
              labelFormatter={(start) => dayLabel(`${start}`)}
              cursor={{ fill: "var(--color-hover)" }}
              contentStyle={tooltip}
            />
            <Bar dataKey="count" name="Events" fill="var(--color-accent)" isAnimationActive={false} />
            <Line
              dataKey="users"
              name="Users"
              stroke="var(--color-warn)"
              strokeWidth={2}
              dot={false}
              isAnimationActive={false}
            />
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="flex gap-4 text-muted text-sm">
        <span className="flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2.5 bg-accent" /> Events
        </span>
        <span className="flex items-center gap-1.5">
          <span aria-hidden="true" className="h-0.5 w-3 bg-warn" /> Users
        </span>
      </figcaption>
    </figure>
  );
}

const axis = {
  stroke: "var(--color-muted)",
  tickLine: false,
  fontSize: "var(--text-xs)",
};

const tooltip = {
  background: "var(--color-raised)",
  border: "1px solid var(--color-line)",
  borderRadius: "var(--radius-md)",
  color: "var(--color-ink)",
};

/** A day without its time, in the user's language: "Mar 5". */
function dayLabel(day: string): string {
  return new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  );
}
