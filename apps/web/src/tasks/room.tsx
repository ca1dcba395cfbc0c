import { Outlet } from "@tanstack/react-router";
import { useOrganization } from "../app/useOrganization";
import { Toasts } from "../ui/toast";
import { useLiveTasks } from "./live";

/** The room around its pages: what happens elsewhere appears here, and messages have their place. */
export function TasksRoom() {
  const { id } = useOrganization();
  return <LiveTasks key={id} organizationId={id} />;
}

function LiveTasks({ organizationId }: { organizationId: string }) {
  const isLive = useLiveTasks(organizationId);
  return (
    <>
      <p
        role="status"
        className="fixed bottom-4 left-4 z-10 rounded-md border border-line bg-raised px-3 py-1.5 text-sm shadow-pop empty:hidden md:left-60"
      >
        {isLive ? "" : "Reconnecting: changes by others appear in a moment."}
      </p>
      <Outlet />
      <Toasts />
    </>
  );
}
