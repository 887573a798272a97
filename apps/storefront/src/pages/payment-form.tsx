import type { ReactNode } from 'react';
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
  readonly quotedAt?: string | undefined;
  /** Whether nothing is to be paid: then no method is asked for. */
  readonly isFree?: boolean;
  /** The terms that the player agrees to, where the page does not say them beside the form. */
  readonly terms?: string | undefined;
  /** Further fields. */
  readonly children?: ReactNode;
}

/**
 * Either the sandbox's methods, or one button that leads to the gateway's own page, where the card is entered (rules/stripe
 * 9). It works as it is: the form posts, and the answer leads back to the page of the link. The script sends a method as
 * JSON instead, and meanwhile shows the texts of the attributes in the page's language.
 */
export function PaymentForm(props: PaymentFormProps) {
  const { locale, linkId, cardsAt, isFree = false } = props;
  const page = `/checkout/${encodeURIComponent(linkId)}`;
  const isCardPage = cardsAt !== undefined && !isFree;
  const form = isCardPage
    ? { id: 'card', action: `${page}/card` }
    : { id: 'checkout', ...nameScriptTexts(locale), action: `${page}/pay` };
  return (
    <form {...form} method="post">
      {isCardPage && <p className="terms">{locale.texts.payment.cardPage}</p>}
      {!isCardPage && !isFree && <MethodChoice locale={locale} />}
      <HiddenFields {...props} />
      {props.children}
      <Button {...(props.isSecond && { kind: 'quiet' })}>{props.label}</Button>
      {props.terms !== undefined && <p className="terms">{props.terms}</p>}
    </form>
  );
}

/** The texts of the script while it waits, as attributes of the form that it sends. */
function nameScriptTexts({ texts: { script } }: PageLocale) {
  return {
    'data-asking': script.asking,
    'data-still-asking': script.stillAsking,
    'data-unreachable': script.unreachable,
    'data-paused': script.paused({ seconds: SECONDS_MARK }),
  };
}

/** The sandbox's methods, of which one is chosen. */
function MethodChoice({ locale }: Pick<PaymentFormProps, 'locale'>) {
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
