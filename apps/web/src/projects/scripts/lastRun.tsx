import { type RepositoryScripts, type ScriptRun, visibleText } from "@grove/schemas";
import { CircleCheck, CircleX, Clock } from "lucide-react";
import { StateLabel, type StateStyle } from "../../ui/stateLabel";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";

interface LastRunProps {
  script: RepositoryScripts["scripts"][number];
  base: string;
}

/** A script, how its last run on a machine ended, and the end of that run's output. */
export const LastRun = ({ script: { path, exists, lastRun }, base }: LastRunProps) => (
  <section aria-label={path} className="flex flex-col gap-1">
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <code className="font-mono text-sm">{path}</code>
      {lastRun ? (
        <>
          <StateLabel state={stateOf(lastRun)} />
          <span className="wrap-anywhere text-muted text-sm">
            <Time at={lastRun.at} /> in <VisibleName>{lastRun.workspaceName}</VisibleName>
          </span>
        </>
      ) : (
        <span className="text-muted text-sm">Never run on this machine</span>
      )}
    </p>
    {!exists && (
      <p className="wrap-anywhere text-muted text-sm">
        <VisibleName className="font-mono">{base}</VisibleName> does not have it.
      </p>
    )}
    {lastRun && <Output path={path} output={lastRun.output} />}
  </section>
);

function stateOf({ exitCode, timedOut }: ScriptRun): StateStyle {
  if (timedOut) return { icon: Clock, tone: "bad", label: "Timed out" };
  if (exitCode === null) return { icon: CircleX, tone: "bad", label: "Did not finish" };
  return exitCode === 0
    ? { icon: CircleCheck, tone: "good", label: "Succeeded (exit code 0)" }
    : { icon: CircleX, tone: "bad", label: `Failed (exit code ${exitCode})` };
}

const Output = ({ path, output }: { path: string; output: string }) =>
  output.trim() === "" ? (
    <p className="text-muted text-sm">No output.</p>
  ) : (
    <details>
      <summary className="min-h-6 w-fit cursor-pointer text-muted text-sm">Last output of {path}</summary>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard access (WCAG 2.1.1)
        tabIndex={0}
        dir="ltr"
        className="wrap-anywhere mt-1 max-h-80 overflow-y-auto whitespace-pre-wrap rounded-md border border-line bg-ground px-3 py-2 font-mono text-sm"
      >
        {visibleText(output)}
      </pre>
    </details>
  );
