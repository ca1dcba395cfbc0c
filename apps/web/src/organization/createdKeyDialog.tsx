import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { authQuery } from "../lib/api";
import { CopyBlock, CopyLine } from "../ui/copyButton";
import { SecretDialog } from "../ui/secretDialog";
import { Select } from "../ui/select";
import { isKeyUsage, type KeyUsageName, keyUsages } from "./keyUsages";

interface CreatedKeyDialogProps {
  apiKey: { name: string; key: string };
  onClose: () => void;
}

const options = Object.entries(keyUsages).map(([value, { title }]) => ({ value, title }));

/** Shows a new key once, with a text to paste for each client. */
export function CreatedKeyDialog({ apiKey: { name, key }, onClose }: CreatedKeyDialogProps) {
  const { local } = useSuspenseQuery(authQuery).data;
  const [chosen, setChosen] = useState<KeyUsageName>("claude");
  const { where, text } = keyUsages[chosen];
  return (
    <SecretDialog title={`API key ${name}`} secret="key" onClose={onClose}>
      {(onCopied) => (
        <>
          <p>This key is shown only once. Store it as a secret: anyone who has it can act as you here.</p>
          <CopyLine text={key} label="Copy the key" onCopied={onCopied} />
          <Select
            label="Use it in"
            value={chosen}
            onChange={(value) => isKeyUsage(value) && setChosen(value)}
            options={options}
          />
          <p className="text-sm">{where}</p>
          <CopyBlock
            text={text({ apiUrl: location.origin, key })}
            label="Copy the instructions"
            onCopied={onCopied}
          />
          {chosen !== "curl" && (
            <p className="text-muted text-sm">
              {local
                ? "On this machine, the command grove connect does all of this without a key."
                : "If grove-mcp-cloud is not installed, run node with the full path of its main.js."}
            </p>
          )}
        </>
      )}
    </SecretDialog>
  );
}
