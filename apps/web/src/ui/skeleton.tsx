/** The placeholder of a list that is loading. It reserves some height, which reduces layout shift. */
export const Skeleton = () => (
  <div aria-hidden="true" className="flex animate-pulse flex-col gap-3 pt-2">
    {[0, 1, 2, 3].map((row) => (
      <div key={row} className="h-7 rounded-md bg-hover/60" />
    ))}
  </div>
);
