/** A bar of this share of its full width, 0 to 1. The number stands beside it in the table. */
export const ShareBar = ({ share }: { share: number }) => (
  <span aria-hidden="true" className="block h-2.5 w-32 rounded-sm bg-hover">
    <span className="block h-full rounded-sm bg-accent" style={{ width: `${Math.round(share * 100)}%` }} />
  </span>
);
