import { visibleText } from "@grove/schemas";
import type { ReactNode } from "react";
import { CopyButton } from "../../ui/copyButton";

/** A longer value is truncated. The copy button copies all of it. */
const MAX_CHARACTERS = 10_000;

interface JsonValueProps {
  title: string;
  value: unknown;
  children?: ReactNode;
}

/** Shows an untrusted value as indented JSON, with invisible characters marked. */
export function JsonValue({ title, value, children }: JsonValueProps) {
  const text = JSON.stringify(value, null, 2);
  const rest = text.length - MAX_CHARACTERS;
  return (
    <section aria-label={title} className="w-full min-w-0">
      <div className="flex items-center gap-1">
        <h3 className="font-medium text-sm">{title}</h3>
        <CopyButton text={text} label={`Copy the ${title.toLowerCase()}`} />
      </div>
      {children && <p className="mb-1.5 text-muted text-sm">{children}</p>}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard access (WCAG 2.1.1)
        tabIndex={0}
        dir="ltr"
        className="wrap-anywhere max-h-80 overflow-y-auto whitespace-pre-wrap rounded-md border border-line bg-ground px-3 py-2 font-mono text-sm"
      >
        {visibleText(text.slice(0, MAX_CHARACTERS))}
      </pre>
      {rest > 0 && (
        <p className="mt-1 text-muted text-sm">And {rest.toLocaleString("en")} more characters.</p>
      )}
    </section>
  );
}
