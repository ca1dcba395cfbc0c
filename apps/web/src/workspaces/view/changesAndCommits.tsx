import { shortCommit, type WorkspaceDetails } from "@grove/schemas";
import { pluralize } from "../../ui/pluralize";
import { Section } from "../../ui/section";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";

export function ChangesAndCommits({ details }: { details: WorkspaceDetails }) {
  const { changes, changesTotal, commits, diff } = details;
  return (
    <>
      <Section title="Uncommitted changes">
        {changesTotal === 0 ? (
          <p className="text-muted">Everything is committed.</p>
        ) : (
          <ChangedFiles changes={changes} total={changesTotal} />
        )}
        {diff && diff.filesChanged > 0 && (
          <p className="mt-2 text-muted">
            With its commits: {pluralize(diff.filesChanged, "file")} changed,{" "}
            {pluralize(diff.insertions, "line")} added, {diff.deletions} removed since{" "}
            <VisibleName className="font-mono text-sm">{diff.base}</VisibleName>.
          </p>
        )}
      </Section>
      <Section title="Last commits">
        <ul className="flex flex-col divide-y divide-line border-line border-y">
          {commits.map(({ sha, subject, author, at }) => (
            <li key={sha} className="flex flex-wrap items-baseline gap-x-3 py-1.5">
              <code className="font-mono text-muted text-sm">{shortCommit(sha)}</code>
              <VisibleName className="wrap-anywhere min-w-0 flex-1">{subject}</VisibleName>
              <span className="text-muted text-sm">
                <VisibleName>{author}</VisibleName>, <Time at={at} />
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

/** Changed files, each with the meaning of its two-letter git status. */
export const ChangedFiles = ({ changes, total }: { changes: WorkspaceDetails["changes"]; total: number }) => (
  <>
    <ul className="flex flex-col gap-0.5">
      {changes.map(({ path, oldPath, status }) => (
        <li key={path} className="flex items-baseline gap-3">
          <span className="w-20 shrink-0 text-muted text-sm">{kindOf(status)}</span>
          <span className="wrap-anywhere min-w-0 font-mono text-sm">
            {oldPath !== undefined && (
              <>
                <VisibleName>{oldPath}</VisibleName>
                <span aria-hidden="true"> → </span>
                <span className="sr-only"> to </span>
              </>
            )}
            <VisibleName>{path}</VisibleName>
          </span>
        </li>
      ))}
    </ul>
    {total > changes.length && <p className="mt-1 text-muted">And {total - changes.length} more.</p>}
  </>
);

const kinds: Record<string, string> = { "?": "new", A: "added", D: "deleted", R: "renamed", U: "conflict" };

/** Describes a two-letter status of `git status --porcelain`. */
const kindOf = (status: string): string =>
  [...status].map((letter) => kinds[letter]).find((word) => word !== undefined) ?? "changed";
