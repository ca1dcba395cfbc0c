import type { ReactNode } from "react";

interface SectionProps {
  title: string;
  /** Buttons at the end of the title row. */
  actions?: ReactNode;
  children: ReactNode;
}

export const Section = ({ title, actions, children }: SectionProps) => (
  <section className="mt-8">
    <div className="mb-2 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
      <h2 className="font-semibold">{title}</h2>
      {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
    {children}
  </section>
);
