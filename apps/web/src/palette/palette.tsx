import { useState } from "react";
import { useAfterPaint } from "../hooks/useAfterPaint";
import { Finder } from "../ui/finder";
import { filterEntries } from "./filterEntries";
import { useEntries, useTaskEntries } from "./useEntries";

/** The command palette: searches actions, rooms and the organization's items. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const entries = useEntries();
  const { group, busy } = useTaskEntries(text);
  // Paints the field first, so that the palette opens without delay.
  const isPainted = useAfterPaint();
  const groups = !isPainted
    ? []
    : [...filterEntries(entries, text), ...(group.items.length > 0 ? [group] : [])];
  return (
    <Finder
      label="Search, or type an action"
      text={text}
      onText={setText}
      groups={groups}
      busy={busy || !isPainted}
      onClose={onClose}
    />
  );
}
