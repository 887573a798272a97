import { type CreatedCheckoutLink, pauseLeftMs } from '#domain/checkout-link';
import type { Instant } from '#domain/event';
import type { TaxedCharge } from '#domain/pricing';
import type { PageLocale } from '../languages/page-locale.js';
import type { RefusalReason } from '../languages/catalogue.js';
import { returnAddress } from './return-address.js';
import { DueDates, OfferHeading, Terms } from './offer.js';
import { PageDocument, StatusNote } from './page-document.js';
import { type PageState, pageState } from './page-state.js';
import { PaymentForm } from './payment-form.js';

/** All that the page of a link is made of. */
export interface CheckoutPageProps {
  readonly locale: PageLocale;
  readonly link: CreatedCheckoutLink;
  /** What the offer's price comes to with tax where the player is. */
  readonly charge: TaxedCharge;
  readonly seller: string;
  readonly wallNow: Instant;
  readonly attemptKey: string;
  /** Why the last click made no attempt; undefined when it did, or when there was none. */
  readonly refusal?: RefusalReason | undefined;
}

type PartProps = CheckoutPageProps & { readonly state: PageState };

/** The hosted page of a link, as the link stands now: it tells the offer, and then the outcome. */
export function CheckoutPage(props: CheckoutPageProps) {
  const state = pageState(props.link, props.wallNow);
  const title = pageTitle(state, props);
  return (
    <PageDocument locale={props.locale} state={state} title={title}>
      <OfferHeading
        locale={props.locale}
        offer={props.link.offer}
        seller={props.seller}
        title={title}
      />
      <Content {...props} state={state} />
    </PageDocument>
  );
}

function pageTitle(state: PageState, { locale: { texts }, link }: CheckoutPageProps): string {
  switch (state) {
    case 'open':
    case 'declined':
    case 'unanswered':
      return texts.offer.title(link.offer.planName);
    case 'completed':
      return texts.completed.title(link.offer.planName);
    case 'pending':
    case 'locked':
    case 'expired':
      return texts[state].title;
  }
}

function Content(props: PartProps) {
  const { texts } = props.locale;
  switch (props.state) {
    case 'open':
    case 'declined':
    case 'unanswered':
      return <PayableOffer {...props} />;
    case 'completed':
      return <Completed {...props} />;
    case 'pending':
      return <StatusNote text={texts.pending.text} />;
    case 'locked':
      return (
        <>
          <StatusNote text={texts.locked.text} kind="bad" />
          <ReturnLink {...props} />
        </>
      );
    case 'expired':
      return (
        <>
          <StatusNote text={texts.expired.text} />
          <ReturnLink {...props} />
        </>
      );
  }
}

function PayableOffer(props: PartProps) {
  const { locale, link, charge, state, refusal } = props;
  const isBad = state === 'declined' || refusal !== undefined;
  return (
    <>
      <DueDates locale={locale} offer={link.offer} charge={charge} />
      <StatusNote text={outcomeSoFar(props)} {...(isBad && { kind: 'bad' })} />
      <PaymentForm
        locale={locale}
        linkId={link.linkId}
        offer={link.offer}
        charge={charge}
        attemptKey={props.attemptKey}
      />
      <Terms locale={locale} offer={link.offer} charge={charge} />
      <ReturnLink {...props} />
    </>
  );
}

/** What became of the last attempt or click on a link that can be paid, and what to do now. */
function outcomeSoFar({ locale: { texts }, link, wallNow, state, refusal }: PartProps): string {
  if (state === 'unanswered') return texts.payment.unanswered;
  if (refusal !== undefined) return texts.refusals[refusal];
  if (state !== 'declined') return '';
  const seconds = Math.ceil(pauseLeftMs(link, wallNow) / 1000);
  const { declined, pauseSeconds } = texts.payment;
  return seconds === 0 ? declined : `${declined} ${pauseSeconds(seconds)}`;
}

function Completed(props: PartProps) {
  const { locale, link, charge } = props;
  const { completed, duration } = locale.texts;
  const { trial } = link.offer;
  const done = trial === null ? completed.active : completed.trialBegun(duration(trial));
  return (
    <>
      <StatusNote text={done} kind="good" />
      <p>{completed.whatNow}</p>
      <ReturnLink {...props} />
      <Terms locale={locale} offer={link.offer} charge={charge} />
    </>
  );
}

/** The way back to the game, where the studio has told it. */
function ReturnLink({ locale: { texts }, link, state }: PartProps) {
  if (link.returnUrl === '') return null;
  const isCompleted = state === 'completed';
  const address = returnAddress(link, isCompleted ? 'completed' : 'canceled');
  const isFree = state === 'locked' || state === 'expired';
  return (
    <p className="return">
      <a href={address}>
        {isCompleted || isFree ? texts.completed.backToGame : texts.payment.cancel}
      </a>
    </p>
  );
}
