import { type ComponentProps, Suspense } from "react";
import { lazily } from "../../lib/browser/lazily";
import { HoldKeys } from "../../shortcuts/holdKeys";

const ChooseAgentDialog = lazily(async () => (await import("./chooseAgentDialog")).ChooseAgentDialog);

/** The dialog in which the user chooses one of several agents. Nothing while there is no choice to make. */
export const AgentChoice = ({ choice }: { choice: ComponentProps<typeof ChooseAgentDialog> | undefined }) => (
  <Suspense fallback={<HoldKeys />}>{choice && <ChooseAgentDialog {...choice} />}</Suspense>
);
