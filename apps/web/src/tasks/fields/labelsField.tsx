import { X } from "lucide-react";
import { useRef, useState } from "react";
import { Combobox } from "../../ui/combobox";
import { onKeys } from "../../ui/inputMethod";
import { VisibleName } from "../../ui/visibleName";
import { labelsIn, suggestedLabels } from "./labelsIn";
import { useLabelsInUse } from "./useLabelsInUse";

interface LabelsFieldProps {
  labels: readonly string[];
  onChange: (labels: string[]) => void;
  /** The name in the surrounding form, whose error it shows. */
  name?: string;
}

/** Labels as chips. Enter, a comma or leaving the field adds a label, and Backspace removes the last one. */
export function LabelsField({ labels, onChange, name }: LabelsFieldProps) {
  const field = useRef<HTMLDivElement>(null);
  const [text, setText] = useState("");
  const [isUsed, setUsed] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  const known = useLabelsInUse(isUsed);

  function add(typed: string): void {
    setText("");
    const added = labelsIn(typed).filter((label) => !labels.includes(label));
    if (added.length > 0) onChange([...labels, ...added]);
  }
  function type(next: string): void {
    const end = next.lastIndexOf(",");
    if (end >= 0) add(next.slice(0, end));
    setText(next.slice(end + 1).trimStart());
  }
  function remove(label: string): void {
    onChange(labels.filter((each) => each !== label));
    setAnnouncement(`Removed the label ${label}.`);
    // The button disappears, and would take the focus with it.
    field.current?.querySelector("input")?.focus();
  }

  return (
    <div ref={field} className="flex flex-col gap-1.5">
      <Combobox
        label="Labels"
        {...(name !== undefined && { name })}
        value={text}
        onChange={type}
        onSelect={add}
        suggestions={suggestedLabels(known, labels, text).map((value) => ({ value }))}
        maxLength={50}
        placeholder="Add a label"
        onFocus={() => setUsed(true)}
        onBlur={() => add(text)}
        onKeyDown={onKeys((event) => {
          const last = labels.at(-1);
          if (event.key === "Backspace" && text === "" && last !== undefined) remove(last);
          // With a highlighted suggestion, Enter selects it.
          const isHighlighted = event.currentTarget.hasAttribute("aria-activedescendant");
          if (event.key !== "Enter" || text.trim() === "" || isHighlighted) return;
          event.preventDefault();
          add(text);
        })}
      />
      {labels.length > 0 && (
        <ul aria-label="Selected labels" className="flex flex-wrap gap-1">
          {labels.map((label) => (
            <li
              key={label}
              className="inline-flex h-6 max-w-full items-center rounded-full border border-line pl-2 text-xs"
            >
              <VisibleName className="truncate">{label}</VisibleName>
              <button
                type="button"
                aria-label={`Remove the label ${label}`}
                className="flex size-6 shrink-0 cursor-pointer items-center justify-center rounded-full text-muted hover:text-ink"
                onClick={() => remove(label)}
              >
                <X aria-hidden="true" className="size-3" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </div>
  );
}
