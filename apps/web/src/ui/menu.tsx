import { Menu as Base } from "@base-ui/react/menu";
import { visibleName } from "@grove/schemas";
import { Check } from "lucide-react";
import type { ReactElement, ReactNode } from "react";

interface MenuProps {
  trigger: ReactElement;
  align?: "start" | "end";
  children: ReactNode;
}

export const Menu = ({ trigger, align = "start", children }: MenuProps) => (
  <Base.Root>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner side="bottom" align={align} sideOffset={4} className="z-20">
        <Base.Popup className="min-w-48 max-w-80 origin-(--transform-origin) rounded-lg border border-line bg-raised p-1 shadow-pop outline-none transition-opacity data-starting-style:opacity-0">
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);

const itemClass =
  "flex min-h-8 w-full cursor-pointer items-center gap-2.5 rounded-md px-2 py-1 text-left text-sm outline-none select-none data-highlighted:bg-hover data-disabled:cursor-not-allowed data-disabled:text-muted";

interface MenuItemProps {
  onSelect?: () => void;
  /** A link to render instead of a button. */
  render?: ReactElement;
  danger?: boolean;
  disabled?: boolean;
  reason?: string | undefined;
  children: ReactNode;
}

export const MenuItem = ({
  onSelect,
  render,
  danger,
  reason,
  disabled = reason !== undefined,
  children,
}: MenuItemProps) => (
  <Base.Item
    render={render}
    onClick={onSelect}
    disabled={disabled}
    className={`${itemClass} ${danger ? "text-danger" : ""}`}
  >
    {reason === undefined ? (
      children
    ) : (
      <span className="flex flex-col">
        <span>{children}</span>
        <span className="text-xs">{reason}</span>
      </span>
    )}
  </Base.Item>
);

export const MenuSeparator = () => <Base.Separator className="my-1 h-px bg-line" />;

interface MenuCheckboxItemProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: string;
}

/** An item that is switched on or off, and leaves the menu open. */
export const MenuCheckboxItem = ({ checked, onChange, children }: MenuCheckboxItemProps) => (
  <Base.CheckboxItem checked={checked} onCheckedChange={onChange} className={itemClass}>
    <span className="flex size-4 shrink-0 items-center justify-center">
      <Base.CheckboxItemIndicator>
        <Check aria-hidden="true" className="size-4 text-accent" />
      </Base.CheckboxItemIndicator>
    </span>
    {visibleName(children)}
  </Base.CheckboxItem>
);

interface MenuRadioGroupProps<Value extends string> {
  title: string;
  value: Value;
  options: readonly { value: Value; title: string }[];
  onChange: (value: Value) => void;
}

/** A radio group in a menu. */
export const MenuRadioGroup = <Value extends string>({
  title,
  value,
  options,
  onChange,
}: MenuRadioGroupProps<Value>) => (
  <Base.Group>
    <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-muted text-xs">{title}</Base.GroupLabel>
    <Base.RadioGroup value={value} onValueChange={onChange}>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} className={itemClass}>
          <span className="flex size-4 items-center justify-center">
            <Base.RadioItemIndicator>
              <span aria-hidden="true" className="block size-1.5 rounded-full bg-accent" />
            </Base.RadioItemIndicator>
          </span>
          {visibleName(option.title)}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  </Base.Group>
);
