/** The look of a link in a `TabBar`; `aria-current="page"` marks the current one. */
export const tabClass =
  "flex shrink-0 items-center gap-2 whitespace-nowrap border-transparent border-b-2 px-2 sm:px-3 py-2 text-muted transition-colors hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink";
