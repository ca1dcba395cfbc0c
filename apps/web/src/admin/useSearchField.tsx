import { useState } from "react";
import { useDebounced } from "../hooks/useDebounced";
import { Field } from "../ui/field";

/** A search field, and the text for which to search: undefined if there is none. */
export function useSearchField(label: string) {
  const [text, setText] = useState("");
  const search = useDebounced(text.trim());
  return {
    search: search === "" ? undefined : search,
    field: (
      <div className="max-w-80 pb-3">
        <Field
          label={label}
          type="search"
          autoComplete="off"
          maxLength={200}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
    ),
  };
}
