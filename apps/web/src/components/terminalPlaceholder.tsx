import { HoldKeys } from "../shortcuts/holdKeys";

/** Shown while a terminal loads. */
export const TerminalPlaceholder = () => (
  <div className="flex-1 rounded-lg border border-line bg-terminal">
    <HoldKeys kind="terminal" />
  </div>
);
