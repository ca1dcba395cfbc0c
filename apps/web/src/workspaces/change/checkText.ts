import type { Change, GateSkipped } from "@grove/schemas";

/** Why finished work was not checked. */
const skipped: Record<GateSkipped, string> = {
  device_offline: "Not checked: the machine was offline. Run the check once it is online.",
  unsupported_tool: "Not checked: grove-device on the machine is too old. Update it.",
  not_allowed: "Not checked: the machine's owner does not allow scripts of repositories.",
  no_check: "Not checked: the base has no .grove/check.",
  not_run: "Not checked: the check did not end. Run it again.",
};

/** Describes the repository's own check of finished work. Undefined if it did not run and was not asked to. */
export function checkText({
  finishedAt,
  gate,
  gateSkipped,
}: Pick<Change, "finishedAt" | "gate" | "gateSkipped">): string | undefined {
  if (gateSkipped) return skipped[gateSkipped];
  // An earlier run is not of this work.
  if (!gate || finishedAt === null || Date.parse(gate.at) < Date.parse(finishedAt)) return undefined;
  if (gate.state === "running") return "The check is running.";
  const of = gate.head === null ? "the uncommitted work" : `commit ${gate.head.slice(0, 8)}`;
  return `The check ${gate.state} for ${of}.`;
}
