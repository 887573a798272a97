import { describe, expect, it } from 'vitest';
import { choosePageLocale } from './page-locale.js';
import { formatPrice } from './price-text.js';

function choose(linkLanguage = '', acceptLanguage = '', regionCode = '') {
  const { language, format } = choosePageLocale({ linkLanguage, acceptLanguage, regionCode });
  return { language, format };
}

describe('the language of a page', () => {
  it.each([
    ['the link, before the browser', 'de', 'fr', 'de'],
    ['the link, in any spelling', 'DE-at', 'fr', 'de'],
    ['the browser, where the link names none', '', 'fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
    ['the browser, where the link names one without texts', 'tlh', 'es', 'es'],
    ['what the browser likes best of the languages there are', '', 'it, ja;q=0.4, es;q=0.7', 'es'],
    ['not what the browser refuses', '', 'de;q=0, ja;q=0.1', 'ja'],
    ['the link, by the script that its region reads', 'zh-SG', 'fr', 'zh-Hans'],
    ['the browser, where the link names a script without texts', 'zh-TW', 'ko', 'ko'],
    ['the link, in the form that there is', 'pt-PT', 'fr', 'pt-BR'],
    ['English, where nothing is known', '', '', 'en'],
    ['English, where all is welcome', '', '*', 'en'],
    ['English, where nothing can be read', 'no language', ';;q=?, -', 'en'],
  ])('is that of %s', (_, link, accept, language) => {
    expect(choose(link, accept).language).toBe(language);
  });
});

describe('the format of prices', () => {
  it.each([
    ['the region of the tag', 'de-CH', '', 'AT', 'de-CH'],
    ['the region of the browser', '', 'fr-CA', 'FR', 'fr-CA'],
    ['the region of the player, where the language has none', 'de', '', 'AT', 'de-AT'],
    ['the country of a part of it', 'en', '', 'US-CA', 'en-US'],
    ['English alone, where no language is asked for', '', '', 'DE', 'en'],
    ['the language alone, where no region is known', 'ja', '', '', 'ja'],
    ['the language alone, where the region is none', 'es', '', 'X', 'es'],
    ['the language as it is written, in the region', 'zh', '', 'SG', 'zh-Hans-SG'],
    ['the region of the tag, where the texts are from another', 'pt-PT', '', 'BR', 'pt-PT'],
    ['the region of the texts, where none is known', 'pt', '', '', 'pt-BR'],
  ])('is that of %s', (_, link, accept, region, format) => {
    expect(choose(link, accept, region).format).toBe(format);
  });

  it.each([
    ['999', 'USD', 'en-US', '$9.99'],
    ['0', 'EUR', 'en', '€0.00'],
    ['98000', 'JPY', 'en', '¥98,000'],
    ['9990', 'KWD', 'en', 'KWD 9.990'],
    ['123456789012345', 'USD', 'en', '$1,234,567,890,123.45'],
    ['150', 'HUF', 'en', 'HUF 1.50'],
    ['123499', 'EUR', 'de', '1.234,99 €'],
    ['999', 'EUR', 'de-AT', '€ 9,99'],
    ['999', 'EUR', 'fr', '9,99 €'],
    ['999', 'EUR', 'es', '9,99 €'],
    ['999', 'BRL', 'pt-BR', 'R$ 9,99'],
    ['9900', 'KRW', 'ko', '₩9,900'],
    ['999', 'CNY', 'zh-Hans', '¥9.99'],
    ['999', 'TRY', 'tr', '₺9,99'],
  ])('%s %s in %s is %s', (amountMinor, currency, locale, text) => {
    // Releases of Node differ in the kind of space.
    const spaces = /[\u00a0\u202f]/g;
    expect(formatPrice({ amountMinor, currency }, locale).replaceAll(spaces, ' ')).toBe(text);
  });
});

describe('periods', () => {
  it.each([
    ['en', 'every year', 'every 3 months', 'one week', '14 days'],
    ['de', 'pro Jahr', 'alle 3 Monate', '1 Woche', '14 Tage'],
    ['fr', 'par an', 'tous les 3 mois', '1 semaine', '14 jours'],
    ['es', 'cada año', 'cada 3 meses', '1 semana', '14 días'],
    ['pt-BR', 'por ano', 'a cada 3 meses', '1 semana', '14 dias'],
    ['ja', '毎年', '3か月ごと', '1週間', '14日間'],
    ['ko', '매년', '3개월마다', '1주', '14일'],
    ['zh-Hans', '每年', '每 3 个月', '1 周', '14 天'],
    ['tr', 'her yıl', 'her 3 ayda bir', '1 hafta', '14 gün'],
    ['ar', 'كل سنة', 'كل 3 أشهر', 'أسبوع واحد', '14 يومًا'],
  ])('in %s are counted as people count', (language, year, months, week, days) => {
    const { texts } = choosePageLocale({
      ...{ linkLanguage: language, acceptLanguage: '', regionCode: '' },
    });
    expect(texts.everyPeriod({ value: 1, unit: 'year' })).toBe(year);
    expect(texts.everyPeriod({ value: 3, unit: 'month' })).toBe(months);
    expect(texts.duration({ value: 1, unit: 'week' })).toBe(week);
    expect(texts.duration({ value: 14, unit: 'day' })).toBe(days);
  });
});
