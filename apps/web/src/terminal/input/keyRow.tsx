import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import type { TerminalState } from "../useTerminal";
import type { Modifiers, TouchKey } from "./touchKeys";

const modifierKeys = [
  ["ctrl", "Ctrl"],
  ["alt", "Alt"],
] as const satisfies [keyof Modifiers, string][];

const arrows = [
  ["Up", ArrowUp],
  ["Down", ArrowDown],
  ["Left", ArrowLeft],
  ["Right", ArrowRight],
] as const;

/** The keys that touch keyboards lack. Shown while typing, on devices without a precise pointer. */
export function KeyRow({ terminal }: { terminal: TerminalState }) {
  const { modifiers, toggleModifier, pressKey } = terminal;
  const key = (name: TouchKey) => (
    <Key key={name} onPress={() => pressKey(name)}>
      {name}
    </Key>
  );
  return (
    <div
      role="toolbar"
      aria-label="Terminal keys"
      className="flex shrink-0 gap-1 overflow-x-auto border-line border-t bg-raised p-1"
    >
      {(["Esc", "Tab"] as const).map(key)}
      {modifierKeys.map(([modifier, title]) => (
        <Key key={modifier} isPressed={modifiers[modifier]} onPress={() => toggleModifier(modifier)}>
          {title}
        </Key>
      ))}
      {arrows.map(([name, Icon]) => (
        <Key key={name} label={name} onPress={() => pressKey(name)}>
          <Icon aria-hidden="true" className="size-4" />
        </Key>
      ))}
      {(["|", "/", "-"] as const).map(key)}
    </div>
  );
}

interface KeyProps {
  label?: string;
  /** Whether a sticky key is on. */
  isPressed?: boolean;
  onPress: () => void;
  children: ReactNode;
}

const Key = ({ label, isPressed, onPress, children }: KeyProps) => (
  <button
    type="button"
    aria-label={label}
    aria-pressed={isPressed}
    // The terminal keeps the focus, so that the touch keyboard stays open.
    onMouseDown={(event) => event.preventDefault()}
    onClick={onPress}
    className="inline-flex size-11 shrink-0 cursor-pointer items-center justify-center rounded-md border border-edge/60 bg-surface font-mono text-sm aria-pressed:border-transparent aria-pressed:bg-accent aria-pressed:text-on-accent"
  >
    {children}
  </button>
);
