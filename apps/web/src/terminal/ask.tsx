import type { ReactNode } from "react";
import { marked } from "../app/hidden";

interface AskProps {
  title: string;
  text?: string;
  hint?: string;
  /** The answers. */
  children: ReactNode;
}

/** A question of the terminal to the person. It is read out when it comes, and then whatever changes in it. */
export const Ask = ({ title, text, hint, children }: AskProps) => (
  <div
    role="alert"
    aria-atomic={false}
    className="flex flex-col gap-1.5 border-line border-b bg-warn-soft px-3 py-2"
  >
    {text === undefined ? <p className="font-medium">{title}</p> : <AskedText title={title} text={text} />}
    {hint && <p className="text-sm">{hint}</p>}
    <div className="mt-1 flex flex-wrap gap-2">{children}</div>
  </div>
);

/** A text with its title. Keys without a sign of their own, such as Escape, are shown as numbers. */
export const AskedText = ({ title, text }: { title: string; text: string }) => (
  <div className="flex w-full flex-col gap-1.5">
    <p className="font-medium">{title}</p>
    <pre className="wrap-anywhere line-clamp-3 whitespace-pre-wrap font-mono text-sm">
      {marked(text.replaceAll("\r", "⏎\n"))}
    </pre>
  </div>
);
