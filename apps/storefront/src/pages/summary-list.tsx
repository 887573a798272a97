import type { ReactNode } from 'react';

/** The amounts due, line by line; the last lines count most. */
export function SummaryList({ children }: { children: ReactNode }) {
  return <dl className="summary-list">{children}</dl>;
}

/** One line of the amounts due. */
export function Row({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** The line that all others come to. */
export function TotalRow({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt className="total">{label}</dt>
      <dd className="total">{value}</dd>
    </>
  );
}
