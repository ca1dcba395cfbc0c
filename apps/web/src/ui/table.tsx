import type { CSSProperties, ReactNode } from "react";
import "./table.css";

interface TableProps {
  /** The accessible name. */
  label: string;
  columns: readonly string[];
  children: ReactNode;
}

/**
 * A table that scrolls sideways in a narrow container. In a very narrow one, each row becomes a card with labelled
 * cells (`table.css`).
 */
export const Table = ({ label, columns, children }: TableProps) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard (WCAG 2.1.1)
    tabIndex={0}
    className="-mx-2 @container relative overflow-x-auto px-2 outline-offset-0"
  >
    <table
      aria-label={label}
      style={columnNames(columns)}
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

/** The column names as custom properties, which `table.css` shows in narrow containers. */
const columnNames = (columns: readonly string[]): CSSProperties =>
  Object.fromEntries(columns.map((column, index) => [`--column-${index + 1}`, JSON.stringify(column)]));

export const Row = ({ children }: { children: ReactNode }) => (
  <tr className="border-line border-b transition-colors hover:bg-hover/50">{children}</tr>
);

interface CellProps {
  children: ReactNode;
  /** Secondary information. */
  quiet?: boolean;
  /** Allows several lines. */
  wrap?: boolean;
  /** Contains buttons. They must not make the row higher. */
  actions?: boolean;
}

export const Cell = ({ children, quiet = false, wrap = false, actions = false }: CellProps) => (
  <td
    className={`${actions ? "grove-actions py-1" : "py-2.5 pr-6"} ${wrap ? "min-w-32" : "whitespace-nowrap"} ${quiet ? "text-muted" : ""}`}
  >
    {actions ? <span className="-ml-2.5 flex">{children}</span> : children}
  </td>
);

/** Limits the width of a name in a cell. A longer one wraps. */
export const LimitedWidth = ({ children }: { children: ReactNode }) => (
  <span className="block w-max max-w-56 whitespace-normal">{children}</span>
);
