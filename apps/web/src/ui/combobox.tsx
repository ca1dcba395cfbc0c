import { Autocomplete } from "@base-ui/react/autocomplete";
import { type ComponentProps, useState } from "react";
import { inputClass, popupClass, suggestionClass } from "./comboboxClasses";
import { type FieldTexts, Labeled } from "./field";
import { onKeys } from "./inputMethod";
import { VisibleName } from "./visibleName";

export interface Suggestion {
  /** The text that selecting it puts into the field. */
  value: string;
  /** Secondary text. */
  note?: string | undefined;
  /** Whether the list stays open after it was selected, because the text is not complete. */
  continues?: boolean;
}

interface ComboboxProps
  extends Pick<
      ComponentProps<"input">,
      | "autoFocus"
      | "disabled"
      | "maxLength"
      | "name"
      | "onBlur"
      | "onFocus"
      | "onKeyDown"
      | "placeholder"
      | "required"
    >,
    FieldTexts {
  value: string;
  onChange: (value: string) => void;
  /** Called instead of `onChange` when a suggestion is selected. */
  onSelect?: (value: string) => void;
  /** The suggestions that match the value. Any other text is allowed too. */
  suggestions: readonly Suggestion[];
}

/** A text field with suggestions. Arrow keys highlight one, Enter selects it, Escape closes the list. */
export function Combobox({
  label,
  hint,
  error,
  value,
  onChange,
  onSelect = onChange,
  suggestions,
  onKeyDown,
  ...props
}: ComboboxProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Labeled label={label} hint={hint} error={error} name={props.name}>
      {(attributes) => (
        <Autocomplete.Root
          open={isOpen && suggestions.length > 0}
          // The selected suggestion decides by itself whether the list stays open.
          onOpenChange={(open, { reason }) => reason !== "item-press" && setOpen(open)}
          items={suggestions}
          filter={null}
          value={value}
          onValueChange={(next, { reason }) => {
            if (reason === "item-press") onSelect(next);
            else {
              onChange(next);
              setOpen(true);
            }
          }}
          itemToStringValue={(suggestion: Suggestion) => suggestion.value}
          openOnInputClick
        >
          <Autocomplete.Input
            {...attributes}
            {...props}
            onKeyDown={onKeys(
              (event) => {
                // Enter accepts the text, or the highlighted suggestion, which then decides.
                if (event.key === "Enter") setOpen(false);
                onKeyDown?.(event);
              },
              // Base UI clears the field on Escape.
              (event) => event.preventBaseUIHandler(),
            )}
            autoComplete="off"
            spellCheck={false}
            className={inputClass}
          />
          <Autocomplete.Portal>
            <Autocomplete.Positioner align="start" sideOffset={4} className="z-20">
              <Autocomplete.Popup className={popupClass}>
                <Autocomplete.List>
                  {(suggestion: Suggestion) => (
                    <Line
                      key={suggestion.value}
                      suggestion={suggestion}
                      onSelect={() => setOpen(suggestion.continues === true)}
                    />
                  )}
                </Autocomplete.List>
              </Autocomplete.Popup>
            </Autocomplete.Positioner>
          </Autocomplete.Portal>
        </Autocomplete.Root>
      )}
    </Labeled>
  );
}

const Line = ({ suggestion, onSelect }: { suggestion: Suggestion; onSelect: () => void }) => (
  <Autocomplete.Item value={suggestion} onClick={onSelect} className={suggestionClass}>
    <VisibleName className="min-w-0 truncate">{suggestion.value}</VisibleName>
    {suggestion.note !== undefined && (
      <VisibleName className="ml-auto shrink-0 text-muted">{suggestion.note}</VisibleName>
    )}
  </Autocomplete.Item>
);
