import type { ListedPoints, PointsOff } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { queries } from "../../lib/api";
import { toolQuery } from "../../lib/commands/deviceTools";
import { Button, buttonClass } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Note } from "../../ui/note";
import { pluralize } from "../../ui/pluralize";
import { Problem } from "../../ui/problem";
import { Time } from "../../ui/time";
import type { WorkspaceSearch } from "../workspaceSearch";
import { type PointRow, pointRows } from "./pointRows";
import type { RestorePointsProps } from "./restorePointsButton";
import { UndoConfirmation, type UndoMode } from "./undoConfirmation";

interface DialogProps extends RestorePointsProps {
  onClose: () => void;
}

/** Lists what each turn of an agent changed, and undoes turns. */
export function RestorePointsDialog({ target, workspaceId, onClose }: DialogProps) {
  const { organizationId } = target;
  const list = useQuery(
    queries.workspace.listPoints.queryOptions(
      { organizationId, workspaceId },
      { staleTime: 0, retry: false },
    ),
  );
  const [chosen, setChosen] = useState<{ row: PointRow; mode: UndoMode }>();
  const newest = list.data?.points[0]?.point;
  const since = useQuery({
    ...toolQuery(target, "get_workspace_diff", {
      workspaceId,
      against: { point: newest ?? "" },
      summary: true,
      snapshot: false,
      context: 0,
      ignoreWhitespace: false,
      maxBytes: 10_000,
    }),
    staleTime: 0,
    enabled: newest !== undefined,
  });
  if (chosen && list.data)
    return (
      <UndoConfirmation
        {...chosen}
        target={target}
        workspaceId={workspaceId}
        head={list.data.head}
        onRefused={() => void list.refetch()}
        onBack={() => setChosen(undefined)}
        onDone={onClose}
      />
    );
  const unsaved = since.data && {
    files: since.data.filesTotal,
    added: since.data.insertions,
    removed: since.data.deletions,
  };
  return (
    <Dialog title="Restore points" open onOpenChange={onClose}>
      <p className="text-muted">
        Grove saves the files before an agent's first turn and after each turn. An undo returns to the files
        before a turn.
      </p>
      {list.error && (
        <Problem
          title="Could not load the restore points."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isPending || (newest !== undefined && since.isPending) ? (
        <p role="status" className="text-muted">
          Loading the restore points…
        </p>
      ) : (
        list.data && (
          <Rows
            list={list.data}
            rows={pointRows(list.data.points, unsaved)}
            onChoose={(row, mode) => setChosen({ row, mode })}
            onClose={onClose}
          />
        )
      )}
    </Dialog>
  );
}

const whyOff = {
  config: `"restorePoints" is false in the machine's config.json. Set it to true there.`,
  project: "Restore points are off in the project's settings. Turn them on there.",
  mirror: "A remote of the repository has `mirror` set, so a push would carry them. Remove that setting.",
} satisfies Record<PointsOff, string>;

interface RowsProps {
  list: ListedPoints;
  rows: PointRow[];
  onChoose: (row: PointRow, mode: UndoMode) => void;
  onClose: () => void;
}

function Rows({ list: { off, head }, rows, onChoose, onClose }: RowsProps) {
  const reason = off ? "Restore points are off." : head === null ? "There is no commit yet." : undefined;
  return (
    <>
      {off && (
        <Note look="warn" title="Restore points are off.">
          <p>{whyOff[off]}</p>
        </Note>
      )}
      {rows.length === 0 && <p>No turn has changed files yet.</p>}
      <ul aria-label="Turns" className="flex flex-col divide-y divide-line">
        {rows.map((row) => (
          <Row
            key={row.end?.point ?? "now"}
            row={row}
            reason={reason}
            onChoose={onChoose}
            onClose={onClose}
          />
        ))}
      </ul>
    </>
  );
}

interface RowProps extends Pick<RowsProps, "onChoose" | "onClose"> {
  row: PointRow;
  /** Why nothing can be undone. */
  reason: string | undefined;
}

function Row({ row, reason, onChoose, onClose }: RowProps) {
  const { start, end, files, added, removed } = row;
  return (
    <li className="flex flex-col gap-2 py-3">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-medium">{end ? `Turn ${end.turn}` : "Since the last restore point"}</span>
        <span className="text-muted text-sm">
          <Time at={(end ?? start).at} />
        </span>
        <span className="ml-auto flex gap-x-2 text-sm">
          {pluralize(files, "file")}
          <span className="font-mono text-accent">+{added}</span>
          <span className="font-mono text-danger">−{removed}</span>
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button reason={reason} onClick={() => onChoose(row, "files")}>
          {end ? "Undo this turn" : "Undo these changes"}
        </Button>
        <Button reason={reason} onClick={() => onChoose(row, "branch")}>
          Restore the branch
        </Button>
        <Link
          from="/o/$organization/workspaces/$workspaceId"
          to="."
          search={({ side: _side, ...previous }: WorkspaceSearch) => ({ ...previous, against: start.point })}
          onClick={onClose}
          className={buttonClass("quiet")}
        >
          Preview the undo
        </Link>
      </div>
    </li>
  );
}
