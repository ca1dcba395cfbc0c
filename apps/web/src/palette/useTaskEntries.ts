import type { Task } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { SquareKanban } from "lucide-react";
import { useAnyOrganization } from "../hooks/useAnyOrganization";
import { useDebounced } from "../hooks/useDebounced";
import { queries } from "../lib/api";
import type { EntryGroup } from "../ui/searchDialog";

const DEBOUNCE_MS = 150;
/** A single letter finds too much. */
const MIN_LENGTH = 2;
const MAX_TASKS = 8;
/** The API lists the newest first, so that open tasks may follow many that are done. */
const FETCHED_TASKS = 3 * MAX_TASKS;

const isClosed = ({ statusType }: Task) => statusType === "completed" || statusType === "canceled";

/** Searches the organization's tasks once the user stops typing. Open tasks are first. */
export function useTaskEntries(text: string): { group: EntryGroup; busy: boolean } {
  const { id: organizationId = "", slug: organization = "" } = useAnyOrganization() ?? {};
  const enabled = organizationId !== "";
  const navigate = useNavigate();
  const query = text.trim();
  const search = useDebounced(query, DEBOUNCE_MS);
  const tasks = useQuery({
    ...queries.task.list.queryOptions({ organizationId, search, limit: FETCHED_TASKS }),
    enabled: enabled && search.length >= MIN_LENGTH,
  });
  const statuses =
    useQuery({ ...queries.task.listStatuses.queryOptions({ organizationId }), enabled }).data ?? [];
  const found = query === search && search.length >= MIN_LENGTH ? (tasks.data ?? []) : [];
  const matches = found.toSorted((a, b) => Number(isClosed(a)) - Number(isClosed(b))).slice(0, MAX_TASKS);
  return {
    busy: query.length >= MIN_LENGTH && (query !== search || tasks.isFetching),
    group: {
      value: "Tasks",
      items: matches.map(({ id, slug, title, status }) => ({
        id,
        title,
        hint: statuses.find(({ key }) => key === status)?.name,
        icon: SquareKanban,
        run: () =>
          void navigate({ to: "/o/$organization/tasks/$task", params: { organization, task: slug } }),
      })),
    },
  };
}
