import type { DoctorFinding } from "@grove/schemas";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { useOrganization } from "../hooks/useOrganization";
import { runTool } from "../lib/commands/deviceTools";
import { CopyButton } from "../ui/copyButton";
import { pluralize } from "../ui/pluralize";
import { Problem } from "../ui/problem";
import { StateLabel, type StateStyle } from "../ui/stateLabel";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";

const states = {
  fail: { icon: CircleX, tone: "bad", label: "Failed" },
  warn: { icon: TriangleAlert, tone: "warn", label: "Warning" },
  ok: { icon: CircleCheck, tone: "good", label: "OK" },
} satisfies Record<DoctorFinding["state"], StateStyle>;

const order = Object.keys(states);
const worstFirst = (a: DoctorFinding, b: DoctorFinding) => order.indexOf(a.state) - order.indexOf(b.state);

interface DoctorFindingsProps {
  deviceId: string;
  /** The number of the run. A new number starts a new check. */
  run: number;
}

/** Runs the doctor on the device and shows its findings, worst first. */
export function DoctorFindings({ deviceId, run }: DoctorFindingsProps) {
  const { id: organizationId } = useOrganization();
  const { data, error, isFetching, dataUpdatedAt } = useQuery({
    queryKey: ["doctor", deviceId, run],
    queryFn: ({ signal }) => runTool({ organizationId, deviceId }, "run_doctor", {}, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <>
      <p className="flex flex-wrap items-center gap-3">
        <span role="status">{summaryOf(data, isFetching)}</span>
        {dataUpdatedAt > 0 && (
          <span className="text-muted text-sm">
            Checked <Time at={new Date(dataUpdatedAt).toISOString()} />
          </span>
        )}
      </p>
      {error && !isFetching && <Problem title="Could not check the device." error={error} />}
      {data && (
        <ul className="mt-3 flex flex-col divide-y divide-line rounded-lg border border-line">
          {data.findings.toSorted(worstFirst).map((finding) => (
            <Finding key={`${finding.check} ${finding.message}`} finding={finding} />
          ))}
        </ul>
      )}
    </>
  );
}

function summaryOf(data: { healthy: boolean; findings: DoctorFinding[] } | undefined, isFetching: boolean) {
  if (isFetching) return "Checking the device…";
  if (!data) return "";
  const count = data.findings.filter(({ state }) => state !== "ok").length;
  if (count === 0) return "No problems found.";
  return data.healthy
    ? `The device works, with ${pluralize(count, "warning")}.`
    : "The device cannot run commands. Fix the failed checks.";
}

const Finding = ({ finding: { check, state, message, todo } }: { finding: DoctorFinding }) => (
  <li className="flex flex-wrap items-start gap-x-4 gap-y-0.5 px-3 py-2">
    <span className="w-32 shrink-0">
      <StateLabel state={states[state]} />
    </span>
    <span className="w-24 shrink-0 text-muted">{check}</span>
    <span className="min-w-0 flex-1 basis-72">
      <span className="wrap-anywhere">
        <VisibleName>{message}</VisibleName>
      </span>
      {todo !== undefined && (
        <span className="mt-1 flex items-center gap-1 text-sm">
          <span className="wrap-anywhere">
            <VisibleName>{todo}</VisibleName>
          </span>
          <CopyButton text={commandIn(todo)} label={`Copy the fix for ${check}`} />
        </span>
      )}
    </span>
  </li>
);

/** Returns the command in an advice, or the whole advice. */
const commandIn = (todo: string): string =>
  /`([^`]+)`/.exec(todo)?.[1] ?? /^Run: (.+)$/.exec(todo)?.[1] ?? todo;
