/* The looks of text fields with a list, and of their lists. */

export const inputClass =
  "h-8 w-full rounded-md border border-edge bg-surface px-2.5 text-base outline-offset-0 disabled:opacity-55 aria-invalid:border-danger";

export const popupClass =
  "max-h-[min(20rem,var(--available-height))] w-(--anchor-width) overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop outline-none";

export const suggestionClass =
  "flex min-h-8 cursor-pointer items-center gap-2.5 rounded-md px-2 py-1 text-sm outline-none select-none data-highlighted:bg-hover";
