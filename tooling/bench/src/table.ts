import { meetsAim, type Report, type Row } from "./benchmark";

/** A number with three significant digits and no exponent. */
const figure = (value: number | undefined): string => {
  if (value === undefined || Number.isNaN(value)) return "–";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 0.01))));
  return value.toFixed(digits);
};

const aimOf = (row: Row): string => {
  const { aim } = row;
  if (!aim) return "";
  const bound = "atLeast" in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`;
  return `${bound}${aim.of === "ratio" ? " ×" : ""} ${meetsAim(row) ? "✓" : "✗"}`;
};

/** Renders a report as a table for people. */
export function renderTable(name: string, { title, rows, notes }: Report): string {
  const others = [...new Set(rows.flatMap((row) => Object.keys(row.others ?? {})))];
  const header = ["", "floor", "Grove", "ratio", ...others, "aim"];
  const cells = [
    header,
    ...rows.map((row) => [
      row.measure,
      figure(row.floor),
      figure(row.grove),
      figure(row.ratio),
      ...others.map((other) => figure(row.others?.[other])),
      aimOf(row),
    ]),
  ];
  const widths = header.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) =>
        column === 0 || column === header.length - 1
          ? cell.padEnd(widths[column] ?? 0)
          : cell.padStart(widths[column] ?? 0),
      )
      .join("   ")
      .trimEnd(),
  );
  return [`${name}: ${title}`, "", ...lines, "", ...notes, ""].map((line) => `${line}\n`).join("");
}
