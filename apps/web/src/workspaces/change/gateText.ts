import type { Change, GateSkipped } from "@grove/schemas";

/** Why finished work was not checked. */
const skipped: Record<GateSkipped, string> = {
  device_offline: "Not checked: the machine was offline. Run the check script once it is online.",
  unsupported_tool: "Not checked: grove-device on the machine is too old. Update it.",
  not_allowed: "Not checked: the machine's owner does not allow scripts of repositories.",
  no_gate: "Not checked: the base has no .grove/check.",
  not_run: "Not checked: the check script did not end. Run it again.",
};

/** Describes the run of the check script on finished work. Undefined if it did not run and was not asked to. */
export function gateText({
  finishedAt,
  gate,
  gateSkipped,
}: Pick<Change, "finishedAt" | "gate" | "gateSkipped">): string | undefined {
  if (gateSkipped) return skipped[gateSkipped];
  // An earlier run is not of this work.
  if (!gate || finishedAt === null || Date.parse(gate.at) < Date.parse(finishedAt)) return undefined;
  if (gate.state === "running") return "The check script is running.";
  const of = gate.head === null ? "the uncommitted work" : `commit ${gate.head.slice(0, 8)}`;
  return `The check script ${gate.state} for ${of}.`;
}
