/** The place of a list that is not there yet. It keeps the height of some rows, so that nothing jumps. */
export const Skeleton = () => (
  <div aria-hidden="true" className="flex animate-pulse flex-col gap-3 pt-2">
    {[0, 1, 2, 3].map((row) => (
      <div key={row} className="h-7 rounded-md bg-hover/60" />
    ))}
  </div>
);
