import type { PaymentMethod } from '../languages/checkout-texts.js';
import type { PageLocale } from '../languages/page-locale.js';
import { Button } from './parts.js';

/** The sandbox gateway's methods in the order in which they are offered. */
const METHODS: readonly PaymentMethod[] = [
  'pm_ok',
  'pm_decline_insufficient_funds',
  'pm_renewal_declines',
  'pm_authentication_required',
  'pm_pending',
];
/** Of a button beside which another one is to be clicked first. */
export const QUIET = { kind: 'quiet' } as const;
/** The script puts the number of seconds in the place of this. */
const SECONDS_MARK = '{seconds}';

interface PaymentFormProps {
  readonly locale: PageLocale;
  readonly linkId: string;
  /** Sent with the form: a form that a browser sends twice is one attempt (rules/payments 3). */
  readonly attemptKey: string;
  /** Where cards are entered on the gateway's own page: then the form leads there. */
  readonly cardsAt?: string | undefined;
  /** The text of the button. */
  readonly label: string;
  /** Whether something else on the page is to be clicked first. */
  readonly isSecond?: boolean;
  /** The amount due on the page: sent with the form, so that never more is charged (rules/payments 11). */
  readonly amountCents: string;
  /** When a change was priced so: the shown price holds for a while (rules/payments 18). */
  readonly quotedAt?: string;
}

/** Either the sandbox's methods, or one button that leads to the gateway's own page (rules/stripe 9). */
export function PaymentForm(props: PaymentFormProps) {
  return props.cardsAt === undefined ? <MethodForm {...props} /> : <CardForm {...props} />;
}

/** Leads to the gateway's page, where the card is entered, with and without a script. */
function CardForm(props: PaymentFormProps) {
  return (
    <form id="card" method="post" action={`/checkout/${encodeURIComponent(props.linkId)}/card`}>
      <p className="terms">{props.locale.texts.payment.cardPage}</p>
      <HiddenFields {...props} />
      <Button {...(props.isSecond && QUIET)}>{props.label}</Button>
    </form>
  );
}

/**
 * Works as it is: the form posts, and the answer leads back to the page of the link. The script sends it as JSON
 * instead, and meanwhile shows the texts of the attributes in the page's language.
 */
function MethodForm(props: PaymentFormProps) {
  const { locale, linkId, label } = props;
  return (
    <form
      id="checkout"
      method="post"
      action={`/checkout/${encodeURIComponent(linkId)}/pay`}
      {...nameScriptTexts(locale)}
    >
      <MethodChoice locale={locale} />
      <HiddenFields {...props} />
      <Button {...(props.isSecond && QUIET)}>{label}</Button>
    </form>
  );
}

/** The texts of the script while it waits, as attributes of the form that it sends. */
export function nameScriptTexts({ texts: { script } }: PageLocale) {
  return {
    'data-asking': script.asking,
    'data-still-asking': script.stillAsking,
    'data-unreachable': script.unreachable,
    'data-paused': script.paused({ seconds: SECONDS_MARK }),
  };
}

/** The sandbox's methods, of which one is chosen. */
export function MethodChoice({ locale }: Pick<PaymentFormProps, 'locale'>) {
  const { payment } = locale.texts;
  return (
    <fieldset aria-describedby="sandbox">
      <legend>{payment.legend}</legend>
      <p id="sandbox" className="terms">
        {payment.testCards}
      </p>
      {METHODS.map((method, index) => (
        <label key={method}>
          <input type="radio" name="paymentMethod" value={method} defaultChecked={index === 0} />
          {payment.methods[method]}
        </label>
      ))}
    </fieldset>
  );
}

function HiddenFields({ attemptKey, amountCents, quotedAt }: PaymentFormProps) {
  return (
    <>
      <input type="hidden" name="attemptKey" value={attemptKey} />
      <input type="hidden" name="amountCents" value={amountCents} />
      {quotedAt !== undefined && <input type="hidden" name="quotedAt" value={quotedAt} />}
    </>
  );
}
