import { Checkbox } from "../ui/checkbox";
import { setSingleKeys, useSingleKeys } from "./singleKeys";

/** Turns the keys without Ctrl or ⌘ on and off. */
export const SingleKeysChoice = () => (
  <Checkbox label="Keys without Ctrl or ⌘" checked={useSingleKeys()} onChange={setSingleKeys}>
    Turn them off if they are pressed by mistake, for example by speech input. This browser remembers it.
  </Checkbox>
);
