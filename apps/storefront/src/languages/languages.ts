import ar from './ar.json' with { type: 'json' };
import { type Catalogue, CATALOGUE, type CatalogueMessages } from './catalogue.js';
import { compileTexts } from './compile-texts.js';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import ko from './ko.json' with { type: 'json' };
import ptBR from './pt-BR.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };
import zhHans from './zh-Hans.json' with { type: 'json' };

/** A language that pages speak. */
export interface PageLanguage {
  /** As BCP 47 writes it, for `lang`. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  readonly messages: CatalogueMessages;
}

export const ENGLISH: PageLanguage = { tag: 'en', direction: 'ltr', messages: en };

/** The languages that pages speak (rules/storefront 2). A further one is a file, and a line here. */
export const LANGUAGES: readonly PageLanguage[] = [
  ENGLISH,
  { tag: 'de', direction: 'ltr', messages: de },
  { tag: 'fr', direction: 'ltr', messages: fr },
  { tag: 'es', direction: 'ltr', messages: es },
  { tag: 'pt-BR', direction: 'ltr', messages: ptBR },
  { tag: 'ja', direction: 'ltr', messages: ja },
  { tag: 'ko', direction: 'ltr', messages: ko },
  { tag: 'zh-Hans', direction: 'ltr', messages: zhHans },
  { tag: 'tr', direction: 'ltr', messages: tr },
  { tag: 'ar', direction: 'rtl', messages: ar },
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
