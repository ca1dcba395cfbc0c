import { visibleText } from "@grove/schemas";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { onKeys } from "../ui/inputMethod";

interface AskProps {
  title: ReactNode;
  text?: string;
  hint?: string;
  /** Whether the first answer gets the focus. Only for the answer to an act of the person: others type meanwhile. */
  takesFocus?: boolean;
  /** Escape, while the focus is in it. */
  onEscape: () => void;
  /** The answers. */
  children: ReactNode;
}

/**
 * A question of the terminal to the person. It is read out when it comes, and then whatever changes in it. Letters that
 * are pressed in it run no shortcuts.
 */
export const Ask = ({ title, text, hint, takesFocus = false, onEscape, children }: AskProps) => {
  const answers = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) answers.current?.querySelector<HTMLElement>("a, button")?.focus();
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
      {text === undefined ? <p className="font-medium">{title}</p> : <AskedText title={title} text={text} />}
      {hint && <p className="text-sm">{hint}</p>}
      <div ref={answers} className="mt-1 flex flex-wrap gap-2">
        {children}
      </div>
    </div>
  );
};

/** A text with its title. Keys without a sign of their own, such as Escape, are shown as numbers. */
export const AskedText = ({ title, text }: { title: ReactNode; text: string }) => (
  <div className="flex w-full flex-col gap-1.5">
    <p className="font-medium">{title}</p>
    <pre className="wrap-anywhere line-clamp-3 whitespace-pre-wrap font-mono text-sm">
      {visibleText(text.replaceAll("\r", "⏎\n"))}
    </pre>
  </div>
);
