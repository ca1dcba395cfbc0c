import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

const tones = {
  good: "text-accent",
  calm: "text-muted",
  warn: "text-warn",
  bad: "text-danger",
};

export type Tone = keyof typeof tones;

/** How a state is shown: always by shape and text, never by colour alone (WCAG 1.4.1). */
export interface Look {
  icon: LucideIcon;
  tone: Tone;
  words: string;
}

export const State = ({
  look: { icon: Icon, tone, words },
  children,
}: {
  look: Look;
  children?: ReactNode;
}) => (
  <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
    <Icon aria-hidden="true" className={`size-3.5 shrink-0 ${tones[tone]}`} strokeWidth={2.25} />
    <span className={tone === "calm" ? "text-muted" : ""}>{words}</span> {children}
  </span>
);
