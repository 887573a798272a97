import type { ReactNode } from 'react';
import type { Money } from '#domain/money';
import type { PageLocale } from '../languages/page-locale.js';
import { formatPrice } from '../languages/price-text.js';

/** A word or two beside their subject. */
export function Badge({ text, kind }: { text: string; kind?: 'good' | 'bad' }) {
  return <span className={kind === undefined ? 'badge' : `badge ${kind}`}>{text}</span>;
}

interface CardProps {
  /** How large it is: a whole part of the page, or one of many. */
  readonly kind?: 'part' | 'tile';
  readonly children: ReactNode;
}

/** A surface that holds related parts together. */
export function Card({ kind = 'part', children }: CardProps) {
  return <div className={`card ${kind}`}>{children}</div>;
}

interface ButtonProps {
  readonly name?: string;
  readonly value?: string;
  /** One loud one at most stands in a form; all others are quiet. */
  readonly kind?: 'quiet';
  readonly children: ReactNode;
}

/** Sends its form. */
export function Button({ kind, children, ...field }: ButtonProps) {
  return (
    <button type="submit" {...field} {...(kind && { className: kind })}>
      {children}
    </button>
  );
}

/** A way on that looks as much like one as a button does. */
export function ButtonLink({ href, id, children }: LinkProps) {
  return (
    <a id={id} className="button" href={href}>
      {children}
    </a>
  );
}

interface LinkProps {
  readonly href: string | undefined;
  readonly id?: string;
  readonly children: ReactNode;
}

interface PriceProps {
  readonly locale: PageLocale;
  readonly price: Money;
  /** The purpose, or how often it is paid: `every month`. */
  readonly note?: string;
}

/** The price that a page is about, in its own size. */
export function Price({ locale, price, note = '' }: PriceProps) {
  return (
    <p className="price">
      <strong>{formatPrice(price, locale.format)}</strong> {note}
    </p>
  );
}

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
