import type { FoundInFiles } from "@grove/schemas";
import type { UseQueryResult } from "@tanstack/react-query";
import { pluralize } from "../ui/pluralize";
import { Problem } from "../ui/problem";
import { VisibleName } from "../ui/visibleName";
import { matchGroups, splitAtMatches } from "./matchGroups";

interface SearchResultsProps {
  query: string;
  result: UseQueryResult<FoundInFiles>;
  onOpenFile: (path: string, line?: number) => void;
}

const rowClass =
  "flex w-full cursor-pointer gap-2 px-3 py-1 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2";

/** The matches of a search, by file. */
export function SearchResults({ query, result: { data, error, refetch }, onOpenFile }: SearchResultsProps) {
  if (error)
    return (
      <div className="p-3">
        <Problem title="Could not search the files." error={error} onRetry={() => void refetch()} />
      </div>
    );
  const groups = matchGroups(data?.matches ?? []);
  return (
    <section aria-label="Results" className="min-h-0 flex-1 overflow-y-auto pb-2">
      <p role="status" className="px-3 py-1.5 text-muted text-sm">
        {data ? summary(data) : "Searching…"}
      </p>
      {groups.map(({ path, matches }) => (
        <div key={path}>
          <button type="button" className={`${rowClass} font-medium`} onClick={() => onOpenFile(path)}>
            <VisibleName className="wrap-anywhere min-w-0">{path}</VisibleName>
          </button>
          {matches.map(
            ({ line, text }) =>
              line !== null && (
                <button key={line} type="button" className={rowClass} onClick={() => onOpenFile(path, line)}>
                  <span className="w-8 shrink-0 text-right font-mono text-muted text-xs leading-5">
                    {line}
                  </span>
                  <span className="min-w-0 truncate font-mono text-xs leading-5">
                    <Marked text={text.trimStart()} query={query} />
                  </span>
                </button>
              ),
          )}
        </div>
      ))}
    </section>
  );
}

function summary({ matches, truncated }: FoundInFiles): string {
  if (matches.length === 0) return "No matches.";
  const files = new Set(matches.map(({ path }) => path)).size;
  const count = `${pluralize(matches.length, "match", "matches")} in ${pluralize(files, "file")}`;
  return truncated ? `The first ${count}. Search for more text to see the others.` : count;
}

/** A text with its matches highlighted. */
const Marked = ({ text, query }: { text: string; query: string }) =>
  splitAtMatches(text, query).map((part, index) =>
    index % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity.
      <VisibleName key={index}>{part}</VisibleName>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity.
      <mark key={index} className="rounded-xs bg-warn-soft text-ink">
        <VisibleName>{part}</VisibleName>
      </mark>
    ),
  );
