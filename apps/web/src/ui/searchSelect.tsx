import { Combobox } from "@base-ui/react/combobox";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { inputClass, popupClass, suggestionClass } from "./comboboxClasses";
import { Labeled } from "./field";
import { onKeys } from "./inputMethod";
import { VisibleName } from "./visibleName";

interface Option {
  value: string;
  title: string;
  /** Secondary text, which is searched too. */
  note?: string | undefined;
}

interface SearchSelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly Option[];
}

/** Selects one of many options, such as the organization's workspaces: the typed text filters them. */
export function SearchSelect({ label, value, onChange, options }: SearchSelectProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Labeled label={label}>
      {(attributes) => (
        <Combobox.Root
          open={isOpen}
          onOpenChange={setOpen}
          items={options}
          filter={({ title, note = "" }: Option, text) =>
            `${title} ${note}`.toLowerCase().includes(text.trim().toLowerCase())
          }
          value={options.find((option) => option.value === value) ?? null}
          // An emptied field keeps its value.
          onValueChange={(next) => next && onChange(next.value)}
          itemToStringLabel={({ title }) => title}
          isItemEqualToValue={(one, other) => one.value === other.value}
          autoHighlight
        >
          <span className="relative flex">
            <Combobox.Input
              {...attributes}
              onFocus={({ currentTarget }) => currentTarget.select()}
              onKeyDown={onKeys(
                (event) => {
                  // Base UI clears the field.
                  if (event.key === "Escape" && !isOpen) event.preventBaseUIHandler();
                },
                (event) => event.preventBaseUIHandler(),
              )}
              autoComplete="off"
              spellCheck={false}
              className={`${inputClass} truncate pr-8`}
            />
            <ChevronDown
              aria-hidden="true"
              className="pointer-events-none absolute top-2 right-2.5 size-4 text-muted"
            />
          </span>
          <Combobox.Portal>
            <Combobox.Positioner align="start" sideOffset={4} className="z-20">
              <Combobox.Popup className={popupClass}>
                <Combobox.Empty className="px-2 py-1 text-muted text-sm empty:hidden">
                  No match
                </Combobox.Empty>
                <Combobox.List>
                  {(option: Option) => (
                    <Combobox.Item key={option.value} value={option} className={suggestionClass}>
                      <VisibleName className="min-w-0 truncate">{option.title}</VisibleName>
                      {option.note !== undefined && (
                        <VisibleName className="ml-auto min-w-0 truncate text-muted">
                          {option.note}
                        </VisibleName>
                      )}
                    </Combobox.Item>
                  )}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      )}
    </Labeled>
  );
}
