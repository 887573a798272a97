import {
  type CreatedCheckoutLink,
  type LinkedChange,
  type Offer,
  type OfferQuote,
  pauseLeftMs,
} from '#domain/checkout-link';
import type { Instant } from '#domain/event';
import { isPositive, type Money } from '#domain/money';
import type { QuotedWithRefund } from '#domain/subscription';
import type { PageBrand } from '../brand/page-brand.js';
import type { PageLocale } from '../languages/page-locale.js';
import type { Catalogue } from '../languages/catalogue.js';
import type { RefusalReason } from '../languages/checkout-texts.js';
import { formatPrice } from '../languages/price-text.js';
import { ChangeLines } from './change-offer.js';
import { returnAddress } from './return-address.js';
import { DueDates, OfferDetails, Terms } from './offer.js';
import { PageDocument, StatusNote } from './page-document.js';
import { ButtonLink, Card } from './parts.js';
import { ChallengeStep } from './challenge-step.js';
import { canPayAnotherWay, type PageState, pageState, sayDeclined } from './page-state.js';
import { PaymentForm } from './payment-form.js';

/** All that the page of a link is made of. */
export interface CheckoutPageProps {
  readonly locale: PageLocale;
  readonly link: CreatedCheckoutLink;
  /** The amounts of the offer in the player's region, now and after a trial. */
  readonly quote: OfferQuote;
  /** The present price of a change; undefined where the link sells a subscription, or is not open. */
  readonly change?: QuotedWithRefund | undefined;
  readonly brand: PageBrand;
  readonly wallNow: Instant;
  readonly attemptKey: string;
  /** The gateway's own page for cards; undefined where the methods are the sandbox's. */
  readonly cardsAt?: string | undefined;
  /** Where the player confirms the payment, while that is to be done. */
  readonly challengeUrl?: string | undefined;
  /** Why the last click made no attempt; undefined when it did, or when there was none. */
  readonly refusal?: RefusalReason | undefined;
}

type PartProps = CheckoutPageProps & { readonly state: PageState };

/** The hosted page of a link, as the link stands now: it tells the offer, and then the outcome. */
export function CheckoutPage(props: CheckoutPageProps) {
  const { locale, link, brand } = props;
  const state = pageState(link, props.wallNow);
  const title = pageTitle(state, props);
  const isSplit = isPayable(state, props);
  return (
    <PageDocument
      locale={locale}
      state={state}
      title={title}
      brand={brand}
      layout={isSplit ? 'split' : 'narrow'}
      looksAgain={looksAgain(state, props)}
    >
      {isSplit && (
        <section className="summary" aria-label={locale.texts.page.summary}>
          <h1>{title}</h1>
          <OfferDetails locale={locale} offer={link.offer} />
          <Due {...props} state={state} />
        </section>
      )}
      <Card>
        {!isSplit && <h1>{title}</h1>}
        <Content {...props} state={state} />
        {!isSplit && <OfferDetails locale={locale} offer={link.offer} />}
      </Card>
    </PageDocument>
  );
}

/** Whether there is something to choose and to pay beside the purchase itself. */
function isPayable(state: PageState, { link, wallNow }: CheckoutPageProps): boolean {
  if (state === 'challenged') return canPayAnotherWay(link, wallNow);
  return state === 'open' || state === 'declined' || state === 'unanswered';
}

/** The amount due: of a change, its present price. */
function Due(props: PartProps) {
  const { locale, link, quote } = props;
  if (link.change === null) return <DueDates locale={locale} offer={link.offer} quote={quote} />;
  const priced = findPrice(props);
  return priced && <ChangeLines locale={locale} quote={priced} />;
}

/** The present price of a change; undefined where it cannot be had at once any more. */
function findPrice({ change }: PartProps) {
  return change?.accepted === true && !change.quote.isScheduled ? change.quote : undefined;
}

/** Whether only the outcome is waited for, and no form is shown. */
function looksAgain(state: PageState, { link, wallNow }: CheckoutPageProps): boolean {
  return state === 'pending' || (state === 'challenged' && !canPayAnotherWay(link, wallNow));
}

function pageTitle(state: PageState, { locale: { texts }, link }: CheckoutPageProps): string {
  switch (state) {
    case 'open':
    case 'declined':
    case 'unanswered':
      return link.change === null
        ? texts.offer.title(link.offer)
        : changeTitle(link.change, link.offer, texts);
    case 'completed':
      return texts.completed.title(link.offer);
    case 'pending':
    case 'challenged':
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
      return <Payable {...props} />;
    case 'completed':
      return <Completed {...props} />;
    case 'pending':
      return <StatusNote text={texts.pending.text} />;
    case 'challenged':
      return (
        <ChallengeStep
          locale={props.locale}
          challengeUrl={props.challengeUrl}
          refusal={props.refusal}
          pauseMs={pauseLeftMs(props.link, props.wallNow)}
          canPayAnotherWay={canPayAnotherWay(props.link, props.wallNow)}
        >
          <Form {...props} />
          <Terms locale={props.locale} offer={props.link.offer} quote={props.quote} />
        </ChallengeStep>
      );
    case 'locked':
    case 'expired':
      return (
        <>
          <StatusNote
            text={texts[props.state].text}
            {...(props.state === 'locked' && { kind: 'bad' })}
          />
          <ReturnLink {...props} />
        </>
      );
  }
}

/** A change is paid for as it comes to now; one that cannot be had any more is not offered. */
function Payable(props: PartProps) {
  const { locale, link, state, refusal } = props;
  if (link.change !== null && findPrice(props) === undefined) {
    return (
      <>
        <StatusNote text={locale.texts.change.notNow} kind="bad" />
        <ReturnLink {...props} />
      </>
    );
  }
  const isBad = state === 'declined' || refusal !== undefined;
  return (
    <>
      <StatusNote text={outcomeSoFar(props)} {...(isBad && { kind: 'bad' })} />
      <Form {...props} />
      <Terms locale={locale} offer={link.offer} quote={props.quote} />
      <ReturnLink {...props} />
    </>
  );
}

function Form(props: PartProps) {
  const { locale, link, attemptKey, quote } = props;
  const priced = findPrice(props);
  const { amount } = priced ?? quote.dueNow;
  return (
    <PaymentForm
      cardsAt={props.cardsAt}
      locale={locale}
      linkId={link.linkId}
      attemptKey={attemptKey}
      amountCents={amount.amountMinor}
      quotedAt={priced?.effectiveAt}
      label={payLabel(props, amount)}
      isSecond={props.state === 'challenged'}
    />
  );
}

function payLabel({ locale: { texts, format }, link }: PartProps, amount: Money): string {
  if (link.change === null && link.offer.trial !== null) return texts.payment.startTrial;
  if (link.change !== null && !isPositive(amount)) return texts.change.confirm;
  return texts.payment.pay({ price: formatPrice(amount, format) });
}

function changeTitle({ kind }: LinkedChange, { planName }: Offer, { change }: Catalogue): string {
  return kind === 'plan' ? change.title({ planName }) : change.methodTitle;
}

/** The outcome of the last attempt or click on a link that can be paid, and the next step. */
function outcomeSoFar({ locale: { texts }, link, wallNow, state, refusal }: PartProps): string {
  if (state === 'unanswered') return texts.payment.unanswered;
  if (refusal !== undefined) return texts.refusals[refusal];
  if (state !== 'declined') return '';
  return sayDeclined(pauseLeftMs(link, wallNow), texts);
}

function Completed(props: PartProps) {
  const { locale, link } = props;
  const { change, completed, duration } = locale.texts;
  const { trial } = link.offer;
  const begun =
    trial === null ? completed.active : completed.trialBegun({ trial: duration(trial) });
  const done = link.change?.kind === 'payment_method' ? change.methodChanged : begun;
  return (
    <>
      <StatusNote text={done} kind="good" />
      <p>{completed.whatNow}</p>
      <ReturnLink {...props} />
      <Terms locale={locale} offer={link.offer} quote={props.quote} />
    </>
  );
}

/** The way back to the game, where the studio has told it. */
function ReturnLink({ locale: { texts }, link, state }: PartProps) {
  if (link.returnUrl === '') return null;
  const isCompleted = state === 'completed';
  const address = returnAddress(link, isCompleted ? 'completed' : 'canceled');
  const isOver = isCompleted || state === 'locked' || state === 'expired';
  return isOver ? (
    <ButtonLink href={address}>{texts.completed.backToGame}</ButtonLink>
  ) : (
    <p className="return">
      <a href={address}>{texts.payment.cancel}</a>
    </p>
  );
}
