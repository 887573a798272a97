import type { ReactNode } from 'react';

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
