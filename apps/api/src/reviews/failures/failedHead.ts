import type { FailureRoundContent, HeldReason } from "@grove/schemas";
import type { ChangeKey } from "../../changes/row";
import type { Failure } from "./failure";

/** A commit of a change, whose checks or gate failed. */
export interface HeadKey extends ChangeKey {
  kind: FailureRoundContent["kind"];
  head: string;
  /** When the read began that found it as the newest commit. */
  readAt: string;
}

/** Failed checks, or a failed gate, of a commit, for an agent or a person to fix. */
export type FailedHead = HeadKey & {
  /** The change's branch. */
  branch: string;
  /** Why no agent may fix them. */
  notForAgents?: HeldReason | undefined;
  /** Called if an agent can take the failure now. */
  readFailure: () => Promise<Failure>;
} & ({ kind: "checks" } | FailedGate);

interface FailedGate {
  kind: "gate";
  commandId: string;
  /** Equal for two runs on the same files. */
  filesId: string;
}
