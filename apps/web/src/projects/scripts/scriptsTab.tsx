import { Terminal } from "lucide-react";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/emptyState";
import { Note } from "../../ui/note";
import { Problem } from "../../ui/problem";
import { Skeleton } from "../../ui/skeleton";
import { MachineScriptsItem } from "./machineScriptsItem";
import { useMachineScripts } from "./useMachineScripts";

/** Whether the scripts of the project's repository run on each machine, why not, and how they ended last. */
export function ScriptsTab({ projectId }: { projectId: string }) {
  const { machines, error, isPending, isFetching, refetch } = useMachineScripts(projectId);
  return (
    <div className="flex flex-col gap-4">
      <Note>
        <p>
          <Code>.grove/setup</Code> prepares each new workspace, for instance by installing dependencies, and{" "}
          <Code>.grove/teardown</Code> cleans up before a workspace is deleted. They are files of the
          repository, and run only on machines whose owner allows it.
        </p>
      </Note>
      {error && <Problem title="Could not load the machines." error={error} />}
      {machines.length > 0 && (
        <>
          <div>
            <Button busy={isFetching} onClick={() => void refetch()}>
              Check again
            </Button>
          </div>
          <ul
            aria-label="Machines"
            className="flex flex-col divide-y divide-line rounded-lg border border-line"
          >
            {machines.map((machine) => (
              <MachineScriptsItem key={machine.device.id} machine={machine} />
            ))}
          </ul>
        </>
      )}
      {isPending && <Skeleton />}
      {!isPending && !error && machines.length === 0 && (
        <EmptyState icon={Terminal} title="No machine has this repository">
          Once a machine that is online has the repository, its setup scripts are listed here.
        </EmptyState>
      )}
    </div>
  );
}

const Code = ({ children }: { children: string }) => <code className="font-mono text-sm">{children}</code>;
