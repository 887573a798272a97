import type { CreatedCheckoutLink } from '#domain/checkout-link';

/**
 * Where the player goes back to the game: the studio's address with `checkout` and `id`, the link's
 * own, added to whatever its query says (rules/storefront 4).
 */
export function returnAddress(
  { returnUrl, linkId }: Pick<CreatedCheckoutLink, 'returnUrl' | 'linkId'>,
  outcome: 'completed' | 'canceled',
): string {
  const address = new URL(returnUrl);
  address.searchParams.set('checkout', outcome);
  address.searchParams.set('id', linkId);
  return address.href;
}
