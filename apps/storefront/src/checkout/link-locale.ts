import type { CreatedCheckoutLink } from '#domain/checkout-link';
import { choosePageLocale, type PageLocale } from '../languages/page-locale.js';

/** How a page of a link speaks; without a link, as the browser likes. */
export function chooseLinkLocale(
  acceptLanguage: string,
  link?: Pick<CreatedCheckoutLink, 'language' | 'regionCode'>,
): PageLocale {
  const { language: linkLanguage = '', regionCode = '' } = link ?? {};
  return choosePageLocale({ linkLanguage, acceptLanguage, regionCode });
}
