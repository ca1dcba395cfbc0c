export const Logo = ({ size = 20 }: { size?: number }) => (
  <svg aria-hidden="true" viewBox="0 0 32 32" width={size} height={size} className="shrink-0">
    <rect width="32" height="32" rx="7" className="fill-accent" />
    <path
      d="M16 26V14M16 19l6-5M16 16l-6-5"
      className="stroke-on-accent"
      strokeWidth="2.6"
      strokeLinecap="round"
    />
    <circle cx="16" cy="9" r="3.2" className="fill-on-accent" />
    <circle cx="9" cy="10" r="2.4" className="fill-on-accent" />
    <circle cx="23" cy="13" r="2.4" className="fill-on-accent" />
  </svg>
);
