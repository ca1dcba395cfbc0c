import type { Ref } from "react";
import { onKeys } from "../ui/inputMethod";
import { Select } from "../ui/select";
import type { SearchIn, useFileSearch } from "./useFileSearch";

/** The longest query that the device accepts. */
const MAX_QUERY = 200;

interface SearchFieldProps {
  ref: Ref<HTMLInputElement>;
  search: ReturnType<typeof useFileSearch>;
  /** Leaves the field by Escape. */
  onLeave: () => void;
}

/** The search field above the tree, and where it searches. */
export const SearchField = ({ ref, search, onLeave }: SearchFieldProps) => (
  <search className="flex flex-col gap-1.5 p-2">
    <input
      ref={ref}
      type="search"
      aria-label="Search the files"
      placeholder="Search the files"
      value={search.text}
      maxLength={MAX_QUERY}
      onChange={({ target }) => search.setText(target.value)}
      onKeyDown={onKeys((event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        search.setText("");
        onLeave();
      })}
      autoComplete="off"
      spellCheck={false}
      className="h-8 w-full min-w-0 rounded-md border border-edge bg-surface px-2.5 text-base outline-offset-0"
    />
    {search.text !== "" && (
      <Select
        label="Search in"
        hideLabel
        value={search.searchIn}
        onChange={(value) => search.setSearchIn(value as SearchIn)}
        options={[
          { value: "contents", title: "In files" },
          { value: "names", title: "File names" },
        ]}
      />
    )}
  </search>
);
