import type { CommandStatus } from "@grove/schemas";
import { CircleCheck, CircleDashed, CircleSlash, CircleX, Clock, LoaderCircle } from "lucide-react";
import type { StateStyle } from "../ui/stateLabel";

/** How each state of a command is shown. */
export const commandStates = {
  queued: { icon: Clock, tone: "calm", label: "Queued" },
  claimed: { icon: LoaderCircle, tone: "calm", label: "Sent" },
  running: { icon: LoaderCircle, tone: "calm", label: "Running" },
  succeeded: { icon: CircleCheck, tone: "good", label: "Succeeded" },
  failed: { icon: CircleX, tone: "bad", label: "Failed" },
  canceled: { icon: CircleSlash, tone: "calm", label: "Canceled" },
  expired: { icon: CircleX, tone: "bad", label: "Expired" },
  timed_out: { icon: CircleX, tone: "bad", label: "Timed out" },
  lost: { icon: CircleDashed, tone: "bad", label: "Lost" },
} satisfies Record<CommandStatus, StateStyle>;
