import type { CheckState, PullCheck, PullStatus } from "@grove/schemas";
import { CircleCheck, CircleDashed, CircleHelp, CircleMinus, CircleX } from "lucide-react";
import { safeHref } from "../../ui/safeHref";
import { StateLabel, type StateStyle } from "../../ui/stateLabel";
import { VisibleName } from "../../ui/visibleName";
import { FailedCheck } from "./failedCheck";

const states: Record<CheckState, StateStyle> = {
  failed: { icon: CircleX, tone: "bad", label: "Failed" },
  unknown: { icon: CircleHelp, tone: "warn", label: "Unknown" },
  running: { icon: CircleDashed, tone: "calm", label: "Running" },
  passed: { icon: CircleCheck, tone: "good", label: "Passed" },
  skipped: { icon: CircleMinus, tone: "calm", label: "Skipped" },
};

interface CheckListProps {
  of: { organizationId: string; changeId: string };
  pull: PullStatus;
  askLabel: string;
  /** Called with a text about a failed check to ask an agent about. */
  onAsk: (text: string) => void;
}

/** The checks of a pull request, in the API's order: the failed ones first. */
export const CheckList = ({ of, pull, askLabel, onAsk }: CheckListProps) => (
  <ul aria-label="Checks" className="flex max-h-96 flex-col gap-1 overflow-y-auto">
    {pull.checks.map((check, index) => (
      <li key={`${check.id} ${check.name} ${check.url}`} className="flex flex-wrap items-center gap-x-3">
        <StateLabel state={states[check.state]}>
          {check.state === "unknown" && <VisibleName>{check.word}</VisibleName>}
        </StateLabel>
        <CheckName {...check} />
        {check.required && <span className="text-muted text-xs">required</span>}
        {check.state === "failed" && (
          <FailedCheck
            of={of}
            pull={pull}
            check={check}
            // The API returns failed checks first.
            hasKey={index === 0}
            askLabel={askLabel}
            onAsk={onAsk}
          />
        )}
      </li>
    ))}
  </ul>
);

function CheckName({ name, url }: PullCheck) {
  const href = url === null ? undefined : safeHref(url);
  if (href === undefined) return <VisibleName className="wrap-anywhere">{name}</VisibleName>;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="wrap-anywhere text-accent underline underline-offset-2"
    >
      <VisibleName>{name}</VisibleName>
      <span className="sr-only">, the check, in a new tab</span>
    </a>
  );
}
