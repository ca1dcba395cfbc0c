import { Button } from "../ui/button";
import { showToast } from "../ui/toast";
import { TerminalPrompt } from "./terminalPrompt";

interface ClipboardPromptProps {
  text: string;
  onClose: () => void;
}

/** Asks whether a program may copy a text, because programs must not set the clipboard by themselves. */
export function ClipboardPrompt({ text, onClose }: ClipboardPromptProps) {
  const count = [...text].length;
  const copy = async () => {
    onClose();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      showToast({
        title: "Could not copy the text.",
        description: "The browser denied access to the clipboard. Allow it for this page, and try again.",
      });
    }
  };
  return (
    <TerminalPrompt
      title={`The program wants to copy ${count} ${count === 1 ? "character" : "characters"}:`}
      text={text}
      onEscape={onClose}
    >
      <Button onClick={() => void copy()}>Copy</Button>
      <Button look="quiet" onClick={onClose}>
        Do not copy
      </Button>
    </TerminalPrompt>
  );
}
