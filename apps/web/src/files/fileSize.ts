import { pluralize } from "../ui/pluralize";

const UNITS = ["KiB", "MiB", "GiB", "TiB"];

/** Formats a number of bytes: "1 byte", "300 bytes", "1.5 KiB". */
export function fileSize(bytes: number): string {
  if (bytes < 1_024) return pluralize(bytes, "byte");
  let size = bytes;
  let unit = -1;
  while (size >= 1_024 && unit < UNITS.length - 1) {
    size /= 1_024;
    unit++;
  }
  return `${size < 10 ? Math.round(size * 10) / 10 : Math.round(size)} ${UNITS[unit]}`;
}
