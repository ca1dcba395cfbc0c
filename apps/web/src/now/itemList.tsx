import type { ComponentProps, ReactNode } from "react";
import { Section } from "../ui/section";

interface ItemListProps extends Omit<ComponentProps<"ul">, "className"> {
  title: string;
}

export const ItemList = ({ title, children, ...props }: ItemListProps) => (
  <Section title={title}>
    <ul {...props} className="flex flex-col divide-y divide-line rounded-lg border border-line">
      {children}
    </ul>
  </Section>
);

export const ItemLine = ({ children }: { children: ReactNode }) => (
  <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-1.5">{children}</li>
);

export const linkClass = "wrap-anywhere font-medium underline-offset-3 hover:underline";
