import type { CreatedCheckoutLink } from '#domain/checkout-link';

/**
 * Where the player goes back to the game: the studio's address with `checkout` and `id`, the link's own, behind its
 * query. The rest of the address is kept byte for byte, because the game reads its own text (rules/storefront 4).
 */
export function returnAddress(
  { returnUrl, linkId }: Pick<CreatedCheckoutLink, 'returnUrl' | 'linkId'>,
  outcome: 'completed' | 'canceled',
): string {
  // RFC 3986, 3.5: the first `#` begins the fragment, and a `?` behind it is of the fragment.
  const [, place = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(returnUrl) ?? [];
  return `${place}${separator(place)}checkout=${outcome}&id=${linkId}${fragment}`;
}

function separator(place: string): string {
  if (!place.includes('?')) return '?';
  return /[?&]$/.test(place) ? '' : '&';
}
