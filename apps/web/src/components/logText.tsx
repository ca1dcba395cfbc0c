import { visibleText } from "@grove/schemas";

/** The end of a program's output. */
export const LogText = ({ label, text }: { label: string; text: string }) => (
  <section
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard access (WCAG 2.1.1)
    tabIndex={0}
    aria-label={label}
    className="mt-1 max-h-80 overflow-y-auto rounded-md border border-line bg-ground px-3 py-2"
  >
    <pre dir="ltr" className="wrap-anywhere whitespace-pre-wrap font-mono text-sm">
      {visibleText(text)}
    </pre>
  </section>
);
