import type { ReactNode } from 'react';

interface CardProps {
  /** How large it is: a whole part of the page, or one of many. */
  readonly kind?: 'part' | 'tile';
  readonly children: ReactNode;
}

/** A surface that holds related parts together. */
export function Card({ kind = 'part', children }: CardProps) {
  return <div className={`card ${kind}`}>{children}</div>;
}
