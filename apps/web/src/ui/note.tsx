import { CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

const looks = {
  info: { icon: Info, box: "border-line bg-raised", sign: "text-muted" },
  good: { icon: CircleCheck, box: "border-accent/40 bg-accent-soft", sign: "text-accent" },
  warn: { icon: TriangleAlert, box: "border-warn/40 bg-warn-soft", sign: "text-warn" },
};

interface NoteProps {
  look?: keyof typeof looks;
  title?: string;
  children?: ReactNode;
}

/** A callout. */
export function Note({ look = "info", title, children }: NoteProps) {
  const { icon: Icon, box, sign } = looks[look];
  return (
    <div className={`flex gap-3 rounded-lg border px-4 py-3 ${box}`}>
      <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${sign}`} />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
        {title && <p className="font-medium">{title}</p>}
        {children}
      </div>
    </div>
  );
}
