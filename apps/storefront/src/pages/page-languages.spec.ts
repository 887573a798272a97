import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../languages/languages.js';
import { choosePageLocale } from '../languages/page-locale.js';
import { offer, renderLink, speaking } from './spec-support/link-page.js';

describe('the page in other languages', () => {
  it.each([
    ['de', 'DE', 'Gold abonnieren', '9,99 € bezahlen', '9,99 € pro Monat, bis du es kündigst'],
    ['fr', 'FR', 'S’abonner à Gold', 'Payer 9,99 €', '9,99 € par mois jusqu’à sa résiliation'],
    ['es', 'ES', 'Suscribirse a Gold', 'Pagar 9,99 €', '9,99 € cada mes hasta que la canceles'],
    ['ja', 'JP', 'Goldに登録する', '€9.99を支払う', '毎月€9.99で自動更新されます'],
    ['pt-BR', 'BR', 'Assinar Gold', 'Pagar € 9,99', 'por € 9,99 por mês até você cancelar'],
    ['ko', 'KR', 'Gold 구독하기', '€9.99 결제하기', '매월 €9.99(으)로 자동 갱신됩니다'],
    ['zh-Hans', 'CN', '订阅 Gold', '支付 €9.99', '每月 €9.99自动续订'],
    ['tr', 'TR', 'Abone ol: Gold', '€9,99 öde', 'her ay €9,99 karşılığında yenilenir'],
  ])('%s tells title, price and terms', (language, region, title, button, terms) => {
    const price = { amountMinor: '999', currency: 'EUR' };
    const page = renderLink({ offer: { ...offer, price } }, speaking(language, region));
    expect(page).toContain(`<html lang="${language}" dir="ltr">`);
    // Releases of Node differ in the kind of space.
    const plain = page.replaceAll(/[\u00a0\u202f]/g, ' ');
    for (const text of [`<h1>${title}</h1>`, button, terms]) expect(plain).toContain(text);
  });

  it('lets the script speak the language of the page', () => {
    expect(renderLink({}, speaking('de', 'DE'))).toContain('data-asking="Einen Moment');
  });

  it('runs from right to left where the language does', () => {
    const page = renderLink({}, speaking('ar', 'EG'));
    expect(page).toContain('<html lang="ar" dir="rtl">');
    expect(page).toContain('الاشتراك في Gold');
  });

  it.each(LANGUAGES.map(({ tag }) => tag))('%s says where a script puts the seconds', (tag) => {
    expect(renderLink({}, speaking(tag, ''))).toMatch(/data-paused="[^"]*\{seconds\}/);
  });

  it('leads to the page of a gateway that has one, in every language', () => {
    for (const { tag: linkLanguage } of LANGUAGES) {
      const locale = choosePageLocale({ linkLanguage, acceptLanguage: '', regionCode: '' });
      const page = renderLink({}, { locale, cardsAt: 'https://checkout.stripe.com' });
      expect(page).toContain('action="/checkout/cl_1/card"');
      expect(page).toContain('Stripe');
      expect(page).not.toMatch(/type="radio"|pm_ok/);
    }
    expect(renderLink()).toContain('action="/checkout/cl_1/pay"');
  });
});
