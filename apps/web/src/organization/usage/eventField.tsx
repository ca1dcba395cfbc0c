import { useQuery } from "@tanstack/react-query";
import { queries } from "../../lib/api";
import { Combobox } from "../../ui/combobox";
import type { ReportInput } from "./range";

interface EventFieldProps {
  label: string;
  value: string;
  onChange: (event: string) => void;
  input: ReportInput;
}

/** The name of an event, with the frequent ones as suggestions. */
export function EventField({ label, value, onChange, input }: EventFieldProps) {
  const events = useQuery(queries.analytics.topEvents.queryOptions(input)).data ?? [];
  return (
    <Combobox
      label={label}
      value={value}
      onChange={onChange}
      maxLength={200}
      suggestions={events
        .filter(({ event }) => event.toLowerCase().includes(value.toLowerCase()))
        .map(({ event, count }) => ({ value: event, note: `${count}` }))}
    />
  );
}
