import type { Task } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { Button } from "../../ui/button";
import { VisibleName } from "../../ui/visibleName";
import { isPriority, priorityOptions } from "../displayNames";
import { FilterMenu } from "../lazyDialogs";
import { statusTypes } from "../statusTypes";
import { labelsOf, memberOptions, statusOptions, useMembers, useStatuses } from "../taskQueries";
import { isFiltered } from "./activeFilter";
import type { TaskFilter } from "./taskFilters";
import { searchFieldId, useTaskSearch } from "./useTaskSearch";

/** Filters the tasks. The filter is kept in the URL. */
export function TaskFilterBar({ tasks }: { tasks: readonly Task[] }) {
  const { search, setSearch, clear } = useTaskSearch();
  const statuses = useStatuses();
  const members = useMembers();
  const { id: organizationId } = useOrganization();
  const { data: projects = [] } = useQuery(queries.project.list.queryOptions({ organizationId }));
  const labels = [...new Set([...(search.label ?? []), ...labelsOf(tasks)])];
  // A status key takes precedence over a type of the same name.
  const types = Object.entries(statusTypes).filter(([type]) => statuses.every(({ key }) => key !== type));
  const set = (field: keyof TaskFilter) => (values: string[]) =>
    setSearch({ [field]: values.length > 0 ? values : undefined });
  return (
    <search aria-label="Filter" className="flex flex-wrap items-center gap-2 pb-3">
      <SearchField />
      <FilterButton
        label="Status"
        any="Any status"
        values={search.status}
        onChange={set("status")}
        options={[...statusOptions(statuses), ...types.map(([value, title]) => ({ value, title }))]}
      />
      <FilterButton
        label="Priority"
        any="Any priority"
        values={search.priority}
        onChange={(values) => set("priority")(values.filter(isPriority))}
        options={priorityOptions}
      />
      <FilterButton
        label="Assignee"
        any="Any assignee"
        values={search.assignee}
        onChange={set("assignee")}
        options={[
          { value: "me", title: "Me" },
          { value: "none", title: "Unassigned" },
          ...memberOptions(members),
        ]}
        unknown="A former member"
      />
      {(projects.length > 0 || search.project) && (
        <FilterButton
          label="Project"
          any="Any project"
          values={search.project}
          onChange={set("project")}
          options={projects.map(({ id, name }) => ({ value: id, title: name }))}
          unknown="A deleted project"
        />
      )}
      {labels.length > 0 && (
        <FilterButton
          label="Label"
          any="Any label"
          values={search.label}
          onChange={set("label")}
          options={labels.map((label) => ({ value: label, title: label }))}
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

interface FilterButtonProps {
  label: string;
  /** Shown while no value is selected. */
  any: string;
  values: readonly string[] | undefined;
  onChange: (values: string[]) => void;
  options: readonly { value: string; title: string }[];
  /** The title of a selected value that is not among the options. */
  unknown?: string;
}

/** A button that shows the selected values, and opens a menu that selects several. */
function FilterButton({ label, any, values = [], onChange, options, unknown }: FilterButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const missing = values.filter((value) => options.every((option) => option.value !== value));
  const all = [...missing.map((value) => ({ value, title: unknown ?? value })), ...options];
  const titles = all.filter(({ value }) => values.includes(value)).map(({ title }) => title);
  return (
    <>
      <button
        type="button"
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        className={`flex h-8 max-w-56 cursor-pointer items-center gap-1.5 rounded-md border bg-surface pr-2 pl-2.5 text-base ${
          titles.length > 0 ? "border-accent" : "border-edge"
        }`}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        <span className="sr-only">{label}: </span>
        <VisibleName className="truncate">{titles.length > 0 ? titles.join(", ") : any}</VisibleName>
        <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
      </button>
      {anchor && (
        <FilterMenu
          label={label}
          options={all}
          values={values}
          onChange={onChange}
          anchor={anchor}
          onClose={() => setAnchor(undefined)}
        />
      )}
    </>
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
