/** A progress bar. A `fraction` of null is indeterminate. */
export const Progress = ({ label, fraction }: { label: string; fraction: number | null }) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={fraction === null ? undefined : Math.round(fraction * 100)}
    className="h-1.5 w-full overflow-hidden rounded-full bg-hover"
  >
    <div
      className={`h-full rounded-full bg-accent transition-[width] ${fraction === null ? "animate-pulse" : ""}`}
      style={{ width: `${(fraction ?? 1) * 100}%` }}
    />
  </div>
);
