import { useState } from "react";
import { useAfterPaint } from "../hooks/useAfterPaint";
import { Finder } from "../ui/finder";
import { found } from "./entries";
import { useEntries, useTaskEntries } from "./useEntries";

/** Actions of the page, rooms, and the things of the organization, by a few letters of their names. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const entries = useEntries();
  const { group, busy } = useTaskEntries(text);
  // The field comes first: the key that opens it is answered before the lines are drawn.
  const isPainted = useAfterPaint();
  const groups = !isPainted ? [] : [...found(entries, text), ...(group.items.length > 0 ? [group] : [])];
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
