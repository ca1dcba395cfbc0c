import { Button } from "../../ui/button";
import { pluralize } from "../../ui/pluralize";
import { copyText } from "../copyText";
import { TerminalPrompt } from "./terminalPrompt";

interface ClipboardPromptProps {
  text: string;
  onClose: () => void;
}

/** Asks whether a program may copy a text, because programs must not set the clipboard by themselves. */
export function ClipboardPrompt({ text, onClose }: ClipboardPromptProps) {
  const count = [...text].length;
  const copy = () => {
    onClose();
    void copyText(text);
  };
  return (
    <TerminalPrompt
      title={`The program wants to copy ${pluralize(count, "character")}:`}
      text={text}
      onEscape={onClose}
    >
      <Button onClick={copy}>Copy</Button>
      <Button look="quiet" onClick={onClose}>
        Do not copy
      </Button>
    </TerminalPrompt>
  );
}
