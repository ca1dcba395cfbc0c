import { Button } from "../ui/button";
import { showToast } from "../ui/toast";
import { Ask } from "./ask";

interface CopyAskProps {
  /** The text that the program offers. */
  text: string;
  onClose: () => void;
}

/** Offers a text of the program for the clipboard. A program copies nothing by itself. */
export function CopyAsk({ text, onClose }: CopyAskProps) {
  const count = [...text].length;
  const copy = async () => {
    onClose();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      showToast({
        title: "Could not copy the text.",
        description: "The browser does not allow it on this page.",
      });
    }
  };
  return (
    <Ask
      title={`The program wants to copy ${count} ${count === 1 ? "character" : "characters"}:`}
      text={text}
      onEscape={onClose}
    >
      <Button onClick={() => void copy()}>Copy</Button>
      <Button look="quiet" onClick={onClose}>
        Do not copy
      </Button>
    </Ask>
  );
}
