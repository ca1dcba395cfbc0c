import { type GateRun, shortCommit } from "@grove/schemas";
import { CircleCheck, CircleDashed, CircleHelp, CircleX } from "lucide-react";
import { useId, useState } from "react";
import { LogText } from "../../components/logText";
import { Button } from "../../ui/button";
import { StateLabel, type StateStyle } from "../../ui/stateLabel";
import { gateQuote } from "../pull/pullText";

const states: Record<GateRun["outcome"], StateStyle> = {
  passed: { icon: CircleCheck, tone: "good", label: "Check script passed" },
  failed: { icon: CircleX, tone: "bad", label: "Check script failed" },
  none: { icon: CircleHelp, tone: "calm", label: "The base has no .grove/check" },
  not_allowed: { icon: CircleHelp, tone: "warn", label: "Check script not run" },
};

interface GateResultProps {
  run: GateRun;
  askLabel: string;
  onAsk: (text: string) => void;
}

/** How the check script ended, with its output. */
export function GateResult({ run: { outcome, timedOut, head, output }, askLabel, onAsk }: GateResultProps) {
  const [isShown, setShown] = useState(false);
  const outputId = useId();
  const ran = outcome === "passed" || outcome === "failed";
  const of = head === null ? "uncommitted work" : `commit ${shortCommit(head)}`;
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <div role="status">
        <StateLabel state={states[outcome]} />
      </div>
      {ran && <span className="text-muted">{`${timedOut ? "It took too long, for" : "For"} ${of}.`}</span>}
      {outcome === "not_allowed" && <p className="wrap-anywhere">{output}</p>}
      {ran && output !== "" && (
        <Button
          look="quiet"
          aria-expanded={isShown}
          aria-controls={isShown ? outputId : undefined}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? "Hide output" : "Show output"}
        </Button>
      )}
      {outcome === "failed" && (
        <Button
          look="quiet"
          aria-label={`${askLabel} about the check script`}
          onClick={() => onAsk(gateQuote(output))}
        >
          {askLabel}
        </Button>
      )}
      {ran && isShown && (
        <div id={outputId} className="basis-full">
          <LogText label="Output of the check script" text={output} />
        </div>
      )}
    </div>
  );
}

/** The newest line of a check script that runs. */
export const GateProgress = ({ line }: { line: string }) => (
  <StateLabel state={{ icon: CircleDashed, tone: "calm", label: "Check script running" }}>
    <span className="wrap-anywhere text-muted">{line}</span>
  </StateLabel>
);
