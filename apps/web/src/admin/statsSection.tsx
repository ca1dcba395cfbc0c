import { useQuery } from "@tanstack/react-query";
import { commandStates } from "../components/commandStates";
import { queries } from "../lib/api";
import { DescriptionList } from "../ui/descriptionList";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";

/** How much the instance is used. */
export function StatsSection() {
  const stats = useQuery(queries.admin.stats.queryOptions());
  if (stats.error)
    return (
      <Problem
        title="Could not load the statistics."
        error={stats.error}
        onRetry={() => void stats.refetch()}
      />
    );
  if (!stats.data) return <Skeleton />;
  const { users, organizations, devicesOnline, commands, events } = stats.data;
  const byState = Object.entries(commandStates).flatMap(([state, { label }]) => {
    const count = Object.entries(commands).find(([name]) => name === state)?.[1] ?? 0;
    return count > 0 ? [`${count} ${label.toLowerCase()}`] : [];
  });
  return (
    <DescriptionList
      facts={[
        ["Accounts", users],
        ["Organizations", organizations],
        ["Devices online", devicesOnline],
        ["Commands in the last 24 hours", byState.join(", ") || "None"],
        ["Analytics events in the last 24 hours", events],
      ]}
    />
  );
}
