import { useState } from "react";
import { useAfterPaint } from "../hooks/useAfterPaint";
import { SearchDialog } from "../ui/searchDialog";
import { exactFirst, filterEntries } from "./filterEntries";
import { useEntries } from "./useEntries";
import { useTaskEntries } from "./useTaskEntries";

/** The command palette: searches actions, pages and the organization's items. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const entries = useEntries();
  const { group, busy } = useTaskEntries(text);
  // Paints the field first, so that the palette opens without delay.
  const isPainted = useAfterPaint();
  const groups = !isPainted
    ? []
    : exactFirst([...filterEntries(entries, text), ...(group.items.length > 0 ? [group] : [])], text);
  return (
    <SearchDialog
      label="Search or run a command"
      text={text}
      onText={setText}
      groups={groups}
      busy={busy || !isPainted}
      onClose={onClose}
    />
  );
}
