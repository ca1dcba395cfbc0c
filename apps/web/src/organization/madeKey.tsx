import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { authQuery } from "../lib/api";
import { Button } from "../ui/button";
import { CopyBlock, CopyLine } from "../ui/copy";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Select } from "../ui/select";
import { isUse, type UseName, uses } from "./uses";

interface MadeKeyProps {
  apiKey: { name: string; key: string };
  onClose: () => void;
}

const options = Object.entries(uses).map(([value, { title }]) => ({ value, title }));

/** A key that was just made, and the text to paste for each client. */
export function MadeKey({ apiKey: { name, key }, onClose }: MadeKeyProps) {
  const { local } = useSuspenseQuery(authQuery).data;
  const [chosen, setChosen] = useState<UseName>("claude");
  const { where, text } = uses[chosen];
  return (
    <Dialog title={`The key ${name}`} open onOpenChange={onClose} keepOpen>
      <p>It is shown only now. Keep it where secrets belong: whoever has it acts as you here.</p>
      <CopyLine text={key} label="Copy the key" />
      <Select
        label="Use it in"
        value={chosen}
        onChange={(value) => isUse(value) && setChosen(value)}
        options={options}
      />
      <p className="text-sm">{where}</p>
      <CopyBlock text={text({ apiUrl: location.origin, key })} label="Copy the text" />
      {chosen !== "curl" && (
        <p className="text-muted text-sm">
          {local
            ? "On this machine, the command grove connect does all of this without a key."
            : "If grove-mcp-cloud is not installed, use node with the full path of its main.js."}
        </p>
      )}
      <DialogButtons>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
