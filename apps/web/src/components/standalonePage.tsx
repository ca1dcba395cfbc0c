import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { LazyStandaloneShortcuts } from "../shortcuts/lazyStandaloneShortcuts";
import { Logo } from "../ui/logo";
import { useTitle } from "../ui/page";

interface StandalonePageProps {
  title: string;
  /** Makes the page wide enough for more than a few lines. */
  wide?: boolean;
  children: ReactNode;
}

/** A page without the frame of the organization's pages. Grove's logo links to the home page. */
export function StandalonePage({ title, wide = false, children }: StandalonePageProps) {
  useTitle(title);
  return (
    <main
      className={`mx-auto flex min-h-dvh w-full flex-col px-5 pb-16 ${wide ? "max-w-2xl pt-8" : "max-w-sm pt-[14vh]"}`}
    >
      <Link
        to="/"
        aria-label={wide ? undefined : "Grove"}
        className="flex items-center gap-2.5 self-start text-muted transition-colors hover:text-ink"
      >
        <Logo size={wide ? 20 : 32} />
        {wide && "Back to the console"}
      </Link>
      <h1 className="mt-5 mb-6 font-semibold text-xl">{title}</h1>
      {children}
      <LazyStandaloneShortcuts />
    </main>
  );
}
