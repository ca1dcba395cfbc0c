import { useState } from "react";
import { onKeys } from "../../ui/inputMethod";

const KEY = "grove.workspace.divider";
const LIMITS = { min: 25, max: 75 };
const STEP = 5;

const within = (percent: number) => Math.round(Math.min(LIMITS.max, Math.max(LIMITS.min, percent)));

/** The width of the left side in percent, kept in this browser. */
export function useDividerPosition(): [number, (percent: number) => void] {
  const [position, setPosition] = useState(() => within(Number(localStorage.getItem(KEY) ?? 50) || 50));
  return [
    position,
    (percent) => {
      localStorage.setItem(KEY, String(within(percent)));
      setPosition(within(percent));
    },
  ];
}

interface DividerProps {
  label: string;
  position: number;
  onMove: (percent: number) => void;
}

/** The divider between two sides. It is moved by pointer, by arrow keys, and by Home and End. */
export function Divider({ label, position, onMove }: DividerProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be moved.
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={position}
      aria-valuemin={LIMITS.min}
      aria-valuemax={LIMITS.max}
      className="relative w-1.5 shrink-0 cursor-col-resize touch-none border-line border-x bg-raised hover:bg-accent focus-visible:bg-accent"
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientX }) => {
        const sides = currentTarget.parentElement?.getBoundingClientRect();
        if (!sides || !currentTarget.hasPointerCapture(pointerId)) return;
        onMove(((clientX - sides.left) / sides.width) * 100);
      }}
      onKeyDown={onKeys((event) => {
        const target = {
          ArrowLeft: position - STEP,
          ArrowRight: position + STEP,
          Home: LIMITS.min,
          End: LIMITS.max,
        }[event.key];
        if (target === undefined) return;
        event.preventDefault();
        onMove(target);
      })}
    />
  );
}
