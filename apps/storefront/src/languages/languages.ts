import { checkout as arCheckout } from './ar/checkout.js';
import { shop as arShop } from './ar/shop.js';
import { type Catalogue, CATALOGUE, type CatalogueMessages } from './catalogue.js';
import { compileTexts } from './compile-texts.js';
import { checkout as deCheckout } from './de/checkout.js';
import { shop as deShop } from './de/shop.js';
import { checkout as enCheckout } from './en/checkout.js';
import { shop as enShop } from './en/shop.js';
import { checkout as esCheckout } from './es/checkout.js';
import { shop as esShop } from './es/shop.js';
import { checkout as frCheckout } from './fr/checkout.js';
import { shop as frShop } from './fr/shop.js';
import { checkout as jaCheckout } from './ja/checkout.js';
import { shop as jaShop } from './ja/shop.js';
import { checkout as koCheckout } from './ko/checkout.js';
import { shop as koShop } from './ko/shop.js';
import { checkout as ptBrCheckout } from './pt-br/checkout.js';
import { shop as ptBrShop } from './pt-br/shop.js';
import { checkout as trCheckout } from './tr/checkout.js';
import { shop as trShop } from './tr/shop.js';
import { checkout as zhHansCheckout } from './zh-hans/checkout.js';
import { shop as zhHansShop } from './zh-hans/shop.js';

/** A language that pages speak. */
export interface PageLanguage {
  /** As BCP 47 writes it, for `lang`. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  readonly messages: CatalogueMessages;
}

export const ENGLISH: PageLanguage = {
  ...{ tag: 'en', direction: 'ltr' },
  messages: { ...enCheckout, ...enShop },
};

/** The languages that pages speak (rules/storefront 2). A further one is a folder, and a line here. */
export const LANGUAGES: readonly PageLanguage[] = [
  ENGLISH,
  { tag: 'de', direction: 'ltr', messages: { ...deCheckout, ...deShop } },
  { tag: 'fr', direction: 'ltr', messages: { ...frCheckout, ...frShop } },
  { tag: 'es', direction: 'ltr', messages: { ...esCheckout, ...esShop } },
  { tag: 'pt-BR', direction: 'ltr', messages: { ...ptBrCheckout, ...ptBrShop } },
  { tag: 'ja', direction: 'ltr', messages: { ...jaCheckout, ...jaShop } },
  { tag: 'ko', direction: 'ltr', messages: { ...koCheckout, ...koShop } },
  { tag: 'zh-Hans', direction: 'ltr', messages: { ...zhHansCheckout, ...zhHansShop } },
  { tag: 'tr', direction: 'ltr', messages: { ...trCheckout, ...trShop } },
  { tag: 'ar', direction: 'rtl', messages: { ...arCheckout, ...arShop } },
];

/** Few: a language has two kinds of digits at most. */
const compiled = new Map<string, Catalogue>();

/**
 * The texts of a language, whose counts have the digits that prices have on the same page.
 *
 * @param format the locale of prices, of the same language: Arabic has other digits in Egypt than in Dubai.
 */
export function findTexts({ tag, messages }: PageLanguage, format: string): Catalogue {
  const { numberingSystem } = new Intl.NumberFormat(format).resolvedOptions();
  const locale = `${tag}-u-nu-${numberingSystem}`;
  const known = compiled.get(locale);
  if (known !== undefined) return known;
  const texts = compileTexts(CATALOGUE, messages, locale);
  compiled.set(locale, texts);
  return texts;
}
