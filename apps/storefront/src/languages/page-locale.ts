import Negotiator from 'negotiator';
import type { CreatedCheckoutLink } from '#domain/checkout-link';
import type { Catalogue } from './catalogue.js';
import { keepUpTo } from './keep-up-to.js';
import { ENGLISH, findTexts, LANGUAGES, type PageLanguage } from './languages.js';

/** How one page speaks and writes prices. */
export interface PageLocale {
  /** The language of the texts, for `lang`. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** The language with the region where it is known, for `Intl`: `de-AT` puts the euro sign first. */
  readonly format: string;
  readonly texts: Catalogue;
}

/** The hints at the language of a page; unknown ones are empty. */
export interface LanguageWishes {
  /** The studio's language of the link, as a tag of BCP 47. */
  readonly linkLanguage: string;
  /** The header of the browser. */
  readonly acceptLanguage: string;
  /** The player's region as CLDR writes it: `AT`, `US-CA`. */
  readonly regionCode: string;
}

/** Browsers send few different wishes, each of which takes longer to understand than a page to find. */
const LOCALES_KEPT = 1_000;
/** A longer header is no browser's, and would make the cache large. */
const MAX_KEPT_CHARACTERS = 200;
const keep = keepUpTo<PageLocale>(LOCALES_KEPT);

/** The link's language, else the browser's, else plain English (rules/storefront 2 and 3). */
export function choosePageLocale(wishes: LanguageWishes): PageLocale {
  const key = `${wishes.linkLanguage}\n${wishes.regionCode}\n${wishes.acceptLanguage}`;
  if (key.length > MAX_KEPT_CHARACTERS) return understand(wishes);
  return keep(key, () => understand(wishes));
}

/** How a page of a link speaks; without a link, as the browser likes. */
export function chooseLinkLocale(
  acceptLanguage: string,
  link?: Pick<CreatedCheckoutLink, 'language' | 'regionCode'>,
): PageLocale {
  const { language: linkLanguage = '', regionCode = '' } = link ?? {};
  return choosePageLocale({ linkLanguage, acceptLanguage, regionCode });
}

function understand(wishes: LanguageWishes): PageLocale {
  const headers = { 'accept-language': wishes.acceptLanguage };
  // Without the header, everything is accepted, which Negotiator gives as `*`.
  const accepted = wishes.acceptLanguage === '' ? [] : new Negotiator({ headers }).languages();
  for (const tag of [wishes.linkLanguage, ...accepted]) {
    const wanted = parseLocale(tag);
    const language = wanted && LANGUAGES_BY_SCRIPT.get(withScript(wanted));
    if (wanted === undefined || language === undefined) continue;
    return speak(language, withRegion(language, wanted.region, wishes.regionCode));
  }
  return speak(ENGLISH, ENGLISH.tag);
}

function speak(language: PageLanguage, format: string): PageLocale {
  const { tag, direction } = language;
  return { language: tag, direction, format, texts: findTexts(language, format) };
}

/** A reader of `zh-SG` reads `zh-Hans`, and one of `zh-TW` does not: the likely script decides. */
const LANGUAGES_BY_SCRIPT: ReadonlyMap<string, PageLanguage> = new Map(
  LANGUAGES.map((language) => [withScript(new Intl.Locale(language.tag)), language]),
);

function withScript(locale: Intl.Locale): string {
  const { language, script = '' } = locale.maximize();
  return `${language}-${script}`;
}

/** Prices are written as where the player is, unless the tag itself names a region. */
function withRegion({ tag }: PageLanguage, ofTag: string | undefined, regionCode: string): string {
  const region = ofTag ?? regionCode.split('-', 1)[0] ?? '';
  if (region === '') return tag;
  return parseLocale(tag, { region })?.baseName ?? tag;
}

/** Undefined for a text that is no tag, as browsers and programs send them too. */
function parseLocale(tag: string, options?: Intl.LocaleOptions): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag, options);
  } catch {
    return undefined;
  }
}
