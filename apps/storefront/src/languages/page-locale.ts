import Negotiator from 'negotiator';
import type { Catalogue } from './catalogue.js';
import { english } from './english.js';
import { french } from './french.js';
import { german } from './german.js';
import { japanese } from './japanese.js';
import { spanish } from './spanish.js';

/** The languages that pages speak, by their code of ISO 639. A further one is a line here. */
export const CATALOGUES: ReadonlyMap<string, Catalogue> = new Map([
  ['en', english],
  ['de', german],
  ['fr', french],
  ['es', spanish],
  ['ja', japanese],
]);

/** How one page speaks and writes prices. */
export interface PageLocale {
  /** The language of the texts, for `lang`. */
  readonly language: string;
  /** The language with the region where it is known, for `Intl`: `de-AT` puts the euro sign first. */
  readonly format: string;
  readonly texts: Catalogue;
}

/** What tells which language a page is to speak; what is not known is empty. */
export interface LanguageWishes {
  /** What the studio gave with the link, as a tag of BCP 47. */
  readonly linkLanguage: string;
  /** The header of the browser. */
  readonly acceptLanguage: string;
  /** The player's region as CLDR writes it: `AT`, `US-CA`. */
  readonly regionCode: string;
}

/** The link's language, else the browser's, else plain English (rules/storefront 2 and 3). */
export function choosePageLocale(wishes: LanguageWishes): PageLocale {
  const headers = { 'accept-language': wishes.acceptLanguage };
  // Without the header, everything is accepted, which Negotiator gives as `*`.
  const accepted = wishes.acceptLanguage === '' ? [] : new Negotiator({ headers }).languages();
  for (const tag of [wishes.linkLanguage, ...accepted]) {
    const locale = parseLocale(tag);
    const texts = CATALOGUES.get(locale?.language ?? '');
    if (locale === undefined || texts === undefined) continue;
    const format = withRegion(locale, wishes.regionCode);
    return { language: locale.language, format, texts };
  }
  return { language: 'en', format: 'en', texts: english };
}

/** Prices are written as where the player is, unless the tag itself names a region. */
function withRegion(locale: Intl.Locale, regionCode: string): string {
  const region = locale.region ?? regionCode.split('-', 1)[0] ?? '';
  const known = parseLocale(`${locale.language}-${region}`);
  return known?.baseName ?? locale.language;
}

/** Undefined for what is no tag, as browsers and programs send them too. */
function parseLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}
