import { visibleText } from "@grove/schemas";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { onKeys } from "../../ui/inputMethod";

interface TerminalPromptProps {
  title: ReactNode;
  text?: string;
  hint?: string;
  /** Focuses the first button. Only for a prompt that the user caused: any other would interrupt typing. */
  takesFocus?: boolean;
  onEscape: () => void;
  children: ReactNode;
}

/** A prompt above the terminal. Screen readers announce it when it appears, and later only its changes. */
export const TerminalPrompt = ({
  title,
  text,
  hint,
  takesFocus = false,
  onEscape,
  children,
}: TerminalPromptProps) => {
  const buttons = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) buttons.current?.querySelector<HTMLElement>("a, button")?.focus();
  }, [takesFocus]);
  return (
    <div
      role="alert"
      aria-atomic={false}
      onKeyDown={onKeys((event) => {
        if (event.key === "Escape") onEscape();
      })}
      className="flex flex-col gap-1.5 border-line border-b bg-warn-soft px-3 py-2"
    >
      {text === undefined ? <p className="font-medium">{title}</p> : <PromptText title={title} text={text} />}
      {hint && <p className="text-sm">{hint}</p>}
      <div ref={buttons} className="mt-1 flex flex-wrap gap-2">
        {children}
      </div>
    </div>
  );
};

/** A text with its title. Control characters, such as Escape, are shown by code. */
export const PromptText = ({ title, text }: { title: ReactNode; text: string }) => (
  <div className="flex w-full flex-col gap-1.5">
    <p className="font-medium">{title}</p>
    <pre className="wrap-anywhere line-clamp-3 whitespace-pre-wrap font-mono text-sm">
      {visibleText(text.replaceAll("\r", "⏎\n"))}
    </pre>
  </div>
);
