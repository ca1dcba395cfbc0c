import type { ReactNode } from "react";
import { Mark } from "../ui/mark";
import { useTitle } from "../ui/page";

/** A page for people who are not signed in. */
export function Card({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col px-5 pt-[14vh] pb-16">
      <Mark size={32} />
      <h1 className="mt-5 mb-6 font-semibold text-xl">{title}</h1>
      {children}
    </main>
  );
}
