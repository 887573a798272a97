import { canBeReplaced, isLocked, pauseLeftMs } from '#domain/checkout-link';
import type { Instant } from '#domain/event';
import {
  attemptSeries,
  type CreatedOrder,
  findOrderChallenge,
  isAttempting,
  isFree,
  lastOrderAttempt,
  type OrderQuote,
} from '#domain/order';
import type { PageBrand } from '../brand/page-brand.js';
import type { PageLocale } from '../languages/page-locale.js';
import type { OrderRefusal } from '../links/refusal.js';
import { ButtonLink, Card } from './parts.js';
import { OrderForm } from './order-form.js';
import { OrderItems } from './order-items.js';
import { PageDocument, StatusNote } from './page-document.js';
import { type PageState, sayDeclined } from './page-state.js';
import { WaysOn } from './ways-on.js';

/** All that the page of an order is made of. */
export interface OrderPageProps {
  readonly locale: PageLocale;
  readonly order: CreatedOrder;
  /** The present amount in the player's region. */
  readonly quote: OrderQuote;
  readonly brand: PageBrand;
  /** Whether the page's script is to say that a browser shows the page: its request did not. */
  readonly tellsOpening?: boolean;
  readonly now: Instant;
  readonly wallNow: Instant;
  readonly attemptKey: string;
  readonly cardsAt?: string | undefined;
  readonly challengeUrl?: string | undefined;
  readonly refusal?: OrderRefusal | undefined;
}

/** The hosted page of an order, as the order stands now: the items, then the outcome (rules/orders 2). */
export function OrderPage(props: OrderPageProps) {
  const { locale, order, brand } = props;
  const state = orderPageState(props);
  const title = chooseTitle(props, state);
  return (
    <PageDocument
      locale={locale}
      state={state}
      title={title}
      brand={brand}
      layout="split"
      looksAgain={state === 'pending'}
      tellsOpening={props.tellsOpening}
    >
      <section className="summary" aria-label={locale.texts.page.summary}>
        <h1>{title}</h1>
        <OrderItems {...props} />
      </section>
      <Card>
        <StatusNote text={chooseText(props, state)} {...chooseKind(props, state)} />
        {state === 'challenged' && props.challengeUrl !== undefined && (
          <p>
            <ButtonLink id="step" href={props.challengeUrl}>
              {locale.texts.challenged.goToBank}
            </ButtonLink>
          </p>
        )}
        {canPay(props, state) && (
          <OrderForm {...props} isFree={isFree(props.quote)} isSecond={state === 'challenged'} />
        )}
        <WaysOn order={order} state={state} locale={locale} />
      </Card>
    </PageDocument>
  );
}

/** Follows from the order's own events and the clocks, so that a reload shows the same. */
function orderPageState({
  order,
  now,
  wallNow,
}: Pick<OrderPageProps, 'order' | 'now' | 'wallNow'>): PageState {
  if (order.paidAt !== null) return 'completed';
  if (order.status !== 'OPEN') return 'expired';
  const series = attemptSeries(order);
  if (isAttempting(order)) {
    if (findOrderChallenge(order) !== undefined) return 'challenged';
    return canBeReplaced(series, wallNow) ? 'unanswered' : 'pending';
  }
  if (isLocked(series, wallNow)) return 'locked';
  if (wallNow >= order.wallExpiresAt || now >= order.expiresAt) return 'expired';
  return lastOrderAttempt(order)?.decline ? 'declined' : 'open';
}

function canPay({ order, wallNow }: OrderPageProps, state: PageState): boolean {
  if (state === 'open' || state === 'declined') return true;
  if (state !== 'unanswered' && state !== 'challenged') return false;
  return wallNow < order.wallExpiresAt && !isLocked(attemptSeries(order), wallNow);
}

function chooseTitle(props: OrderPageProps, state: PageState): string {
  const { order, locale } = props;
  const { texts } = locale;
  if (order.status === 'CANCELED') return texts.order.canceled.title;
  switch (state) {
    case 'completed':
      return sayDone(props).title;
    case 'pending':
    case 'challenged':
    case 'locked':
      return texts[state].title;
    case 'expired':
      return texts.order.expired.title;
    default:
      return texts.order.title;
  }
}

function chooseText(props: OrderPageProps, state: PageState): string {
  const { order, locale, refusal, wallNow } = props;
  const { texts } = locale;
  if (order.status === 'CANCELED') return texts.order.canceled.text;
  if (refusal !== undefined && canPay(props, state)) return sayRefusal(refusal, locale);
  switch (state) {
    case 'completed':
      return sayDone(props).text;
    case 'pending':
    case 'challenged':
    case 'locked':
      return texts[state].text;
    case 'expired':
      return texts.order.expired.text;
    case 'unanswered':
      return texts.payment.unanswered;
    case 'declined':
      return sayDeclined(pauseLeftMs(attemptSeries(order), wallNow), texts);
    case 'open':
      return '';
  }
}

/** Says the meaning of the colour beside the text. */
function chooseKind(props: OrderPageProps, state: PageState): { kind?: 'good' | 'bad' } {
  if (state === 'completed') return props.order.status === 'REFUNDED' ? {} : { kind: 'good' };
  const isRefused = props.refusal !== undefined && canPay(props, state);
  return isRefused || state === 'declined' || state === 'locked' ? { kind: 'bad' } : {};
}

/** The state of an order that was paid or claimed. */
function sayDone({ order, locale, quote }: OrderPageProps) {
  const { claimed, paid, refunded } = locale.texts.order;
  if (order.status === 'REFUNDED') return refunded;
  return isFree(quote) ? claimed : paid;
}

function sayRefusal(refusal: OrderRefusal, { texts }: PageLocale): string {
  const isOfShop = refusal === 'QUANTITY_EXCEEDED' || refusal === 'ITEM_UNAVAILABLE';
  return isOfShop ? texts.shopRefusals[refusal] : texts.refusals[refusal];
}
