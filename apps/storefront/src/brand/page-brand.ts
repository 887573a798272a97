import type { Brand, CreatedApp } from '#domain/app';

/** The owner of a page, for its head and foot. */
export interface PageBrand extends Brand {
  /** Whether all is paid with test cards, which every page says. */
  readonly isTest: boolean;
}

type Branded = Pick<CreatedApp, 'brand' | 'name' | 'environment'>;

/** The brand of an app; one that was never set is its name alone (rules/storefront 8). */
export function choosePageBrand({ brand, name, environment }: Branded): PageBrand {
  return { ...(brand ?? { name }), isTest: environment === 'test' };
}

/** The address of the style of a page's accent colour; undefined where it has that of all pages. */
export function accentAddress({ accentColor }: Pick<Brand, 'accentColor'>): string | undefined {
  if (accentColor === undefined) return undefined;
  return `/assets/accent/${accentColor.slice(1).toLowerCase()}.css`;
}

/** Where the pictures of a brand come from, as a policy of browsers names it. */
export function listBrandSources({ logoUrl }: Pick<Brand, 'logoUrl'>): readonly string[] {
  return logoUrl === undefined ? [] : [new URL(logoUrl).origin];
}
