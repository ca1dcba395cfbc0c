import type { Task } from "@grove/schemas";
import { Search, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "../ui/button";
import { Select } from "../ui/select";
import { isPriority, priorityOptions } from "./displayNames";
import { isFiltered } from "./filters";
import { statusTypes } from "./statusTypes";
import { labelsOf, memberOptions, statusOptions, useMembers, useStatuses } from "./taskQueries";
import { searchFieldId, useTaskSearch } from "./useTaskSearch";

/** Filters the tasks. The filter is kept in the URL. */
export function FilterBar({ tasks }: { tasks: readonly Task[] }) {
  const { search, setSearch, clear } = useTaskSearch();
  const { status = "", priority = "", assignee = "", label = "" } = search;
  const statuses = useStatuses();
  const members = useMembers();
  const known = labelsOf(tasks);
  const labels = label === "" || known.includes(label) ? known : [label, ...known];
  // A status key takes precedence over a type of the same name.
  const types = Object.entries(statusTypes).filter(([type]) => statuses.every(({ key }) => key !== type));
  return (
    <search aria-label="Filter" className="flex flex-wrap items-center gap-2 pb-3">
      <SearchField />
      <Select
        label="Status"
        hideLabel
        value={status}
        onChange={(value) => setSearch({ status: value || undefined })}
        options={[
          { value: "", title: "Any status" },
          ...statusOptions(statuses),
          ...types.map(([value, title]) => ({ value, title })),
        ]}
      />
      <Select
        label="Priority"
        hideLabel
        value={priority}
        onChange={(value) => setSearch({ priority: isPriority(value) ? value : undefined })}
        options={[{ value: "", title: "Any priority" }, ...priorityOptions]}
      />
      <Select
        label="Assignee"
        hideLabel
        value={assignee}
        onChange={(value) => setSearch({ assignee: value || undefined })}
        options={[
          { value: "", title: "Any assignee" },
          { value: "me", title: "Me" },
          { value: "none", title: "Unassigned" },
          ...memberOptions(members),
        ]}
      />
      {labels.length > 0 && (
        <Select
          label="Label"
          hideLabel
          value={label}
          onChange={(value) => setSearch({ label: value || undefined })}
          options={[{ value: "", title: "Any label" }, ...labels.map((one) => ({ value: one, title: one }))]}
        />
      )}
      {isFiltered(search) && (
        <Button look="quiet" onClick={clear}>
          <X aria-hidden="true" className="size-3.5" />
          Clear
        </Button>
      )}
    </search>
  );
}

const DEBOUNCE_MS = 200;

/** The search field, debounced. */
function SearchField() {
  const { search, setSearch } = useTaskSearch();
  const { q = "" } = search;
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // The URL changed from outside the field: back navigation, or "Clear".
    if (input.current && input.current.value.trim() !== q) input.current.value = q;
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <span className="relative flex min-w-40 flex-1 sm:max-w-64">
      <Search aria-hidden="true" className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" />
      <input
        ref={input}
        id={searchFieldId}
        type="search"
        aria-label="Search"
        placeholder="Search"
        maxLength={200}
        defaultValue={q}
        className="h-8 w-full rounded-md border border-edge/60 bg-raised pr-2 pl-8 text-sm placeholder:text-muted"
        onChange={({ target }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => setSearch({ q: target.value.trim() || undefined }), DEBOUNCE_MS);
        }}
      />
    </span>
  );
}
