import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export const toneClasses = {
  good: "text-accent",
  calm: "text-muted",
  warn: "text-warn",
  bad: "text-danger",
};

export type Tone = keyof typeof toneClasses;

/** How a state is shown: always by shape and text, never by colour alone (WCAG 1.4.1). */
export interface StateStyle {
  icon: LucideIcon;
  tone: Tone;
  label: string;
}

export const StateLabel = ({
  state: { icon: Icon, tone, label },
  children,
}: {
  state: StateStyle;
  children?: ReactNode;
}) => (
  <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
    <Icon aria-hidden="true" className={`size-3.5 shrink-0 ${toneClasses[tone]}`} strokeWidth={2.25} />
    <span className={tone === "calm" ? "text-muted" : ""}>{label}</span> {children}
  </span>
);
