import { Check, Copy as CopyIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./button";

const CONFIRMATION_MS = 1_500;

interface CopyProps {
  text: string;
  label: string;
  onCopied?: () => void;
}

/** A button that copies a text, and confirms it to screen readers. */
export function CopyButton({ text, label, onCopied }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    onCopied?.();
  };
  const Icon = isCopied ? Check : CopyIcon;
  return (
    <>
      <IconButton label={label} onClick={() => void copy()}>
        <Icon aria-hidden="true" className={`size-4 ${isCopied ? "text-accent" : ""}`} />
      </IconButton>
      <span role="status" className="sr-only">
        {isCopied ? "Copied" : ""}
      </span>
    </>
  );
}

/** A single line of code with a copy button. */
export const CopyLine = ({ text, ...props }: CopyProps) => (
  <div className="flex items-start gap-1 rounded-md border border-line bg-ground py-1 pr-1 pl-3">
    <code className="wrap-anywhere min-w-0 flex-1 py-1.5 font-mono text-sm">{text}</code>
    <CopyButton text={text} {...props} />
  </div>
);

/** Preformatted lines with a copy button. */
export const CopyBlock = ({ text, ...props }: CopyProps) => (
  <div className="flex items-start gap-1 rounded-md border border-line bg-ground py-1 pr-1 pl-3">
    <pre className="wrap-anywhere min-w-0 flex-1 whitespace-pre-wrap py-1.5 font-mono text-sm">{text}</pre>
    <CopyButton text={text} {...props} />
  </div>
);
