import { useState } from "react";
import { AnchoredMenu } from "../../ui/anchoredMenu";
import { MenuCheckboxItem } from "../../ui/menu";

interface FilterMenuProps {
  label: string;
  options: readonly { value: string; title: string }[];
  values: readonly string[];
  onChange: (values: string[]) => void;
  anchor: HTMLElement;
  onClose: () => void;
}

/** The values of a filter. It stays open, so that the user can select several. */
export function FilterMenu({ label, options: current, values, onChange, anchor, onClose }: FilterMenuProps) {
  // A snapshot: labels leave the list with the tasks that the filter hides.
  const [options] = useState(current);
  const toggle = (value: string, isSelected: boolean) =>
    onChange(isSelected ? [...values, value] : values.filter((each) => each !== value));
  return (
    <AnchoredMenu label={label} anchor={anchor} onClose={onClose}>
      {options.map(({ value, title }) => (
        <MenuCheckboxItem
          key={value}
          checked={values.includes(value)}
          onChange={(isSelected) => toggle(value, isSelected)}
        >
          {title}
        </MenuCheckboxItem>
      ))}
    </AnchoredMenu>
  );
}
