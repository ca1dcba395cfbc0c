import type { IntegrationEventStatus, RefusedDeliveryReason } from "@grove/schemas";
import { CircleCheck, CircleX, Clock } from "lucide-react";
import type { StateStyle } from "../../ui/stateLabel";

/** Why a delivery was refused. */
export const refusalLabels: Record<RefusedDeliveryReason, string> = {
  too_large: "too large",
  compressed: "compressed",
  unverified: "not signed with the webhook's secret",
  malformed: "not in the provider's format",
  rate_limited: "too many in a minute",
};

export const eventStates: Record<IntegrationEventStatus, StateStyle> = {
  pending: { icon: Clock, tone: "calm", label: "Waiting" },
  processed: { icon: CircleCheck, tone: "good", label: "Processed" },
  dead: { icon: CircleX, tone: "bad", label: "Given up" },
};
