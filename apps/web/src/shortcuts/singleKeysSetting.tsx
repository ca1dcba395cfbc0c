import { Checkbox } from "../ui/checkbox";
import { setSingleKeys, useSingleKeys } from "./singleKeys";

/** Enables or disables shortcuts without Ctrl or ⌘. */
export const SingleKeysSetting = () => (
  <Checkbox label="Single-key shortcuts" checked={useSingleKeys()} onChange={setSingleKeys}>
    Shortcuts without Ctrl or ⌘. Turn them off if they are triggered by mistake, for example by speech input.
    Stored in this browser.
  </Checkbox>
);
