import { type Device, type RepositoryScripts, visibleName } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleMinus, TriangleAlert, Unplug } from "lucide-react";
import { deviceTexts } from "../../components/deviceStates";
import { useOrganization, useUser } from "../../hooks/useOrganization";
import { CopyLine } from "../../ui/copyButton";
import { Problem } from "../../ui/problem";
import { StateLabel, type StateStyle } from "../../ui/stateLabel";
import { VisibleName } from "../../ui/visibleName";
import { LastRun } from "./lastRun";
import type { MachineScripts } from "./useMachineScripts";

const states = {
  runs: { icon: CircleCheck, tone: "good", label: "Scripts run" },
  notAllowed: { icon: TriangleAlert, tone: "warn", label: "Scripts do not run" },
  none: { icon: CircleMinus, tone: "calm", label: "No scripts" },
  unknown: { icon: Unplug, tone: "calm", label: "Unknown" },
} satisfies Record<string, StateStyle>;

function stateOf(result: MachineScripts["result"]): StateStyle {
  if (result === "offline" || result instanceof Error) return states.unknown;
  if (!result.scripts.some(({ exists }) => exists)) return states.none;
  return result.allowed ? states.runs : states.notAllowed;
}

/** A machine, whether the repository's scripts run there, and their last runs. */
export function MachineScriptsItem({ machine: { device, result } }: { machine: MachineScripts }) {
  const { slug: organization } = useOrganization();
  return (
    <li className="flex flex-col gap-2 px-3 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Link
          to="/o/$organization/devices/$deviceId"
          params={{ organization, deviceId: device.id }}
          className="wrap-anywhere font-medium hover:underline"
        >
          <VisibleName>{device.name}</VisibleName>
        </Link>
        <StateLabel state={stateOf(result)} />
      </div>
      {result === "offline" && <p className="text-muted">{deviceTexts.offline}</p>}
      {result instanceof Error && <Problem title="Could not read the scripts." error={result} />}
      {result !== "offline" && !(result instanceof Error) && <Scripts device={device} result={result} />}
    </li>
  );
}

function Scripts({ device, result }: { device: Device; result: RepositoryScripts }) {
  const { base, allowed, scripts } = result;
  const hasScripts = scripts.some(({ exists }) => exists);
  return (
    <>
      {!hasScripts && (
        <p className="wrap-anywhere text-muted">
          <VisibleName className="font-mono text-sm">{base}</VisibleName> has none of{" "}
          {scripts.map(({ path }) => path).join(", ")}. Workspaces begin at its last commit.
        </p>
      )}
      {hasScripts && !allowed && <HowToAllow device={device} result={result} />}
      {scripts
        .filter(({ exists, lastRun }) => exists || lastRun)
        .map((script) => (
          <LastRun key={script.name} script={script} base={base} />
        ))}
    </>
  );
}

/** The setting that lets the scripts run, and the file that it belongs in. */
function HowToAllow({ device, result }: { device: Device; result: RepositoryScripts }) {
  const { configFile, configFileExists } = result;
  const user = useUser();
  const setting = '"allowRepositoryScripts": true';
  return (
    <div className="flex max-w-2xl flex-col gap-1.5">
      <p className="wrap-anywhere">
        {device.ownerId === user.id ? "You have" : "The machine's owner has"} not allowed scripts of
        repositories. To allow them, {configFileExists ? "set this in" : "create"}{" "}
        <VisibleName className="font-mono text-sm">{configFile}</VisibleName>{" "}
        {configFileExists ? "on that machine:" : "on that machine with mode 600 and this content:"}
      </p>
      <CopyLine
        text={configFileExists ? setting : `{ ${setting} }`}
        label={`Copy the setting for ${visibleName(device.name)}`}
      />
    </div>
  );
}
