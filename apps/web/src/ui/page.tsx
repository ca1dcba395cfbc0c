import { visibleName } from "@grove/schemas";
import { type ReactNode, useEffect } from "react";
import { VisibleName } from "./visibleName";

interface PageProps {
  title: string;
  /** Rendered beside the title. */
  lead?: ReactNode;
  /** Buttons at the end of the title row. */
  actions?: ReactNode;
  /** Uses the full width of the window. */
  wide?: boolean;
  /** Is as high as the window, so that parts of it scroll by themselves. On narrow screens, the page scrolls. */
  fills?: boolean;
  children: ReactNode;
}

/** The layout of a page: title, actions and content. Also sets the document title. */
export function Page({ title, lead, actions, wide = false, fills = false, children }: PageProps) {
  useTitle(title);
  return (
    <div
      className={`flex w-full flex-col px-4 sm:px-6 ${wide ? "" : "max-w-6xl"} ${fills ? "pb-4 md:h-dvh" : "pb-16"}`}
    >
      <header className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 py-3">
        <h1 className="wrap-anywhere min-w-0 font-semibold text-lg">
          <VisibleName>{title}</VisibleName>
        </h1>
        {lead}
        {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

const tab = { title: "", count: 0 };

function updateDocumentTitle(change: Partial<typeof tab>): void {
  Object.assign(tab, change);
  document.title = `${tab.count > 0 ? `(${tab.count}) ` : ""}${tab.title} · Grove`;
}

/** Sets the document title. */
export function useTitle(title: string): void {
  useEffect(() => updateDocumentTitle({ title: visibleName(title) }), [title]);
}

/** Prefixes the document title with a number while mounted; 0 for none. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    updateDocumentTitle({ count });
    return () => updateDocumentTitle({ count: 0 });
  }, [count]);
}
