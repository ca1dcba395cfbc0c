import type { ReactNode } from "react";

/** A description list: names and values, in two columns, or below each other where it is narrow. */
export const DescriptionList = ({
  facts,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[];
}) => (
  <div className="@container">
    <dl className="grid @sm:grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
      {facts.map(([name, value]) => (
        <div key={name} className="@sm:col-span-2 grid @sm:grid-cols-subgrid">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  </div>
);
