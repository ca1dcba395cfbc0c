import { useState } from "react";
import { useOrganization } from "../../hooks/useOrganization";
import { Select } from "../../ui/select";
import { AdminsOnly } from "../adminsOnly";
import { FunnelSection } from "./funnelSection";
import { rangeInput, ranges } from "./range";
import { RetentionSection } from "./retentionSection";
import { TopEventsSection } from "./topEventsSection";
import { TrendSection } from "./trendSection";

/** Reports on the events of the organization that analytics.track received. */
export const UsageTab = () => (
  <AdminsOnly>
    <Usage />
  </AdminsOnly>
);

function Usage() {
  const [days, setDays] = useState("30");
  // Kept, so that the queries stay the same while the tab is open.
  const [now] = useState(Date.now);
  const { id: organizationId } = useOrganization();
  const range = ranges.find(({ value }) => value === days) ?? ranges[1];
  const input = { organizationId, ...rangeInput(Number(range.value), now) };
  return (
    <div className="max-w-4xl">
      <div className="max-w-60 pt-6">
        <Select label="Time" value={days} options={ranges} onChange={setDays} />
      </div>
      <TrendSection input={input} interval={range.interval} />
      <TopEventsSection input={input} />
      <FunnelSection input={input} />
      <RetentionSection input={input} interval={range.interval} />
    </div>
  );
}
