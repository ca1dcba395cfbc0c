import type { CSSProperties, ReactNode } from "react";
import "./table.css";

interface TableProps {
  /** The name of the table, for people who do not see it. */
  label: string;
  columns: readonly string[];
  children: ReactNode;
}

/**
 * A list in columns. With less room for them, it scrolls sideways on its own, with its hidden texts; with little, it
 * has no columns, and each row names its cells.
 */
export const Table = ({ label, columns, children }: TableProps) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
    tabIndex={0}
    className="-mx-2 @container relative overflow-x-auto px-2 outline-offset-0"
  >
    <table
      aria-label={label}
      style={namesOf(columns)}
      className="grove-table w-full border-collapse text-left"
    >
      <thead className="text-muted text-xs">
        <tr className="border-line border-b">
          {columns.map((column) => (
            <th key={column} scope="col" className="whitespace-nowrap py-2 pr-6 font-medium">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
);

/** The names of the columns for the styles. */
const namesOf = (columns: readonly string[]): CSSProperties =>
  Object.fromEntries(columns.map((column, index) => [`--column-${index + 1}`, JSON.stringify(column)]));

/** A row of a table. */
export const Row = ({ children }: { children: ReactNode }) => (
  <tr className="border-line border-b transition-colors hover:bg-hover/50">{children}</tr>
);

interface CellProps {
  children: ReactNode;
  /** Less important than the others of its row. */
  quiet?: boolean;
  /** A long text, which may take several lines. */
  wrap?: boolean;
  /** Buttons, which make the row no higher. */
  actions?: boolean;
}

/** A cell of a row. */
export const Cell = ({ children, quiet = false, wrap = false, actions = false }: CellProps) => (
  <td
    className={`${actions ? "grove-actions py-1" : "py-2.5 pr-6"} ${wrap ? "min-w-32" : "whitespace-nowrap"} ${quiet ? "text-muted" : ""}`}
  >
    {actions ? <span className="-ml-2.5 flex">{children}</span> : children}
  </td>
);

/** A name in a cell: no wider than it is as a rule. A longer one takes several lines. */
export const Brief = ({ children }: { children: ReactNode }) => (
  <span className="block w-max max-w-56 whitespace-normal">{children}</span>
);
