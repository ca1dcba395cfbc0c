interface RadioGroupProps<Value extends string> {
  /** The name of the group. */
  legend: string;
  /** The name in the form. */
  name: string;
  defaultValue: Value;
  options: readonly { value: Value; title: string; hint?: string; reason?: string | undefined }[];
  onChange?: (value: Value) => void;
}

/** Radio buttons with a hint each. An option with a `reason` is disabled, and shows the reason instead of its hint. */
export const RadioGroup = <Value extends string>({
  legend,
  name,
  defaultValue,
  options,
  onChange,
}: RadioGroupProps<Value>) => (
  <fieldset className="flex flex-col gap-2">
    <legend className="mb-1.5 font-medium text-sm">{legend}</legend>
    {options.map(({ value, title, hint, reason }) => (
      <label
        key={value}
        className={`flex gap-2.5 ${reason === undefined ? "cursor-pointer" : "cursor-not-allowed text-muted"}`}
      >
        <input
          type="radio"
          name={name}
          value={value}
          defaultChecked={value === defaultValue}
          disabled={reason !== undefined}
          onChange={() => onChange?.(value)}
          className="mt-0.5 size-4 shrink-0"
        />
        <span>
          <span className="block text-sm">{title}</span>
          {(reason ?? hint) && <span className="block text-muted text-sm">{reason ?? hint}</span>}
        </span>
      </label>
    ))}
  </fieldset>
);
