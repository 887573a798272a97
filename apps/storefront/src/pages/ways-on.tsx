import type { CreatedOrder } from '#domain/order';
import type { PageLocale } from '../languages/page-locale.js';
import { ButtonLink } from './parts.js';
import type { PageState } from './page-state.js';
import { returnAddress } from './return-address.js';

interface WaysOnProps {
  readonly order: CreatedOrder;
  readonly state: PageState;
  readonly locale: PageLocale;
}

/**
 * Where a player goes from the page of an order: to the shop that it was made in, or to the game, where the studio has
 * told the way. It leads nowhere while the outcome is not known (rules/storefront 4).
 */
export function WaysOn(props: WaysOnProps) {
  const { order, state } = props;
  if (state === 'pending' || state === 'challenged' || state === 'unanswered') return null;
  if (order.source !== 'ServicePay') return <WaysToShop {...props} />;
  return order.returnUrl === '' ? null : <WayToGame {...props} />;
}

function WaysToShop({ state, locale: { texts } }: WaysOnProps) {
  const { shop } = texts;
  if (!isOver(state)) return <QuietWay href="/shop" text={shop.back} />;
  return (
    <>
      <ButtonLink href="/shop">{shop.back}</ButtonLink>
      <QuietWay href="/shop/orders" text={shop.orders} />
    </>
  );
}

function WayToGame({ order, state, locale: { texts } }: WaysOnProps) {
  const { returnUrl, checkoutLinkId: linkId } = order;
  const outcome = state === 'completed' ? 'completed' : 'canceled';
  const address = returnAddress({ returnUrl, linkId }, outcome);
  const { backToGame } = texts.completed;
  return isOver(state) ? (
    <ButtonLink href={address}>{backToGame}</ButtonLink>
  ) : (
    <QuietWay href={address} text={backToGame} />
  );
}

function QuietWay({ href, text }: { href: string; text: string }) {
  return (
    <p className="return">
      <a href={href}>{text}</a>
    </p>
  );
}

/** Whether there is nothing left to be done on the page. */
function isOver(state: PageState): boolean {
  return state === 'completed' || state === 'locked' || state === 'expired';
}
