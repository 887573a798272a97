import type { ReactNode } from 'react';
import type { PageBrand } from '../brand/page-brand.js';
import type { PageLocale } from '../languages/page-locale.js';
import { Badge } from './parts.js';

interface PageHeaderProps {
  readonly locale: PageLocale;
  readonly brand: PageBrand;
  /** The links of the head; nothing on pages that have one way on. */
  readonly children: ReactNode;
}

/** Whose page it is, on every page alike. */
export function PageHeader({ locale, brand, children }: PageHeaderProps) {
  const { page } = locale.texts;
  const hasNavigation = children !== undefined && children !== null;
  return (
    <header className="page-header">
      {hasNavigation && (
        <a className="skip" href="#main">
          {page.skip}
        </a>
      )}
      <p className="brand">
        {brand.logoUrl !== undefined && <img src={brand.logoUrl} alt="" height={40} />}
        <span className="brand-name">{brand.name}</span>
        {brand.isTest && <Badge text={page.testMode} />}
      </p>
      {children}
    </header>
  );
}
