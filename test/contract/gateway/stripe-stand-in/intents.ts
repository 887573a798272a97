import { type Answer, invalid, ok, refuse } from './answers.js';
import { CARDS } from './cards.js';
import { type Form, readGroup } from './form.js';

interface Charge {
  readonly id: string;
  readonly object: 'charge';
  readonly created: number;
  readonly payment_method_details: object;
  amount_refunded: number;
  disputed: boolean;
}

export interface Intent {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly created: number;
  readonly amount: number;
  amount_received: number;
  readonly currency: string;
  readonly customer: string;
  readonly payment_method: string;
  readonly payment_method_types: readonly string[];
  readonly metadata: Record<string, string>;
  status: string;
  latest_charge: Charge | null;
  last_payment_error: object | null;
  next_action: object | null;
}

const CARD = { brand: 'visa', funding: 'credit', issuer: 'Stand-in Bank' };

/** `POST /v1/payment_intents` with `confirm=true`: made, and charged. */
export function createIntent(intents: Map<string, Intent>, form: Form, created: number): Answer {
  // The answer of an account about the customer of another one.
  if (form['customer'] === 'cus_elsewhere') {
    return invalid('resource_missing', 'No such customer', 'customer');
  }
  const behaviour = CARDS.get(form['payment_method'] ?? '');
  if (!behaviour) return invalid('resource_missing', 'No such PaymentMethod', 'payment_method');
  if (!/^[1-9]\d*$/.test(form['amount'] ?? '')) {
    return invalid('parameter_invalid_integer', 'Invalid integer', 'amount');
  }
  if (Number(form['amount']) < 50) {
    return invalid('amount_too_small', 'Amount must be at least $0.50', 'amount');
  }
  const intent = buildIntent(`pi_${intents.size + 1}`, form, created);
  intents.set(intent.id, intent);
  if (behaviour.kind === 'capture') capture(intent);
  if (behaviour.kind === 'authenticate') return authenticate(intent, form);
  if (behaviour.kind !== 'decline') return ok(intent);
  const error = decline(intent, behaviour.code, behaviour.declineCode);
  return refuse(402, { ...error, payment_intent: { ...intent } });
}

/** The bank wants its customer to confirm: on its page, where the intent names a way back from there. */
function authenticate(intent: Intent, form: Form): Answer {
  const return_url = form['return_url'];
  if (form['off_session'] === 'true' || return_url === undefined) {
    const error = decline(intent, 'card_declined', 'authentication_required');
    return refuse(402, { ...error, payment_intent: { ...intent } });
  }
  intent.status = 'requires_action';
  const url = `https://hooks.stripe.example/redirect/${intent.id}`;
  intent.next_action = { type: 'redirect_to_url', redirect_to_url: { url, return_url } };
  return ok(intent);
}

/** The customer's decision on the page of the bank, once. */
export function decideAll(intents: Map<string, Intent>, reference: string, accepts: boolean): void {
  for (const intent of intents.values()) {
    const isAsked = intent.status === 'requires_action';
    if (!isAsked || !Object.values(intent.metadata).includes(reference)) continue;
    intent.next_action = null;
    if (accepts) capture(intent);
    else decline(intent, 'payment_intent_authentication_failure');
  }
}

function decline(intent: Intent, code: string, declineCode?: string): object {
  const error = {
    type: 'card_error',
    code,
    decline_code: declineCode,
    message: 'Your card was declined.',
    payment_method: { object: 'payment_method', type: 'card', card: CARD },
  };
  intent.last_payment_error = error;
  intent.status = 'requires_payment_method';
  return error;
}

/** The bank has answered at last. */
export function settleAll(intents: Map<string, Intent>): void {
  for (const intent of intents.values()) if (intent.status === 'processing') capture(intent);
}

/** `GET /v1/payment_intents/search?query=metadata["name"]:"value"`, which takes capitals for small letters. */
export function searchIntents(intents: Map<string, Intent>, query: string): Answer {
  const [, name = '', value = ''] = /^metadata\["(\w+)"\]:"([^"]*)"$/.exec(query) ?? [];
  if (name === '') return invalid('parameter_invalid', `Cannot parse the query ${query}`, 'query');
  const isMeant = ({ metadata }: Intent) => metadata[name]?.toLowerCase() === value.toLowerCase();
  // A found intent may be shown as it was when it was made.
  const made = { status: 'processing', latest_charge: null, last_payment_error: null };
  const data = [...intents.values()].filter(isMeant).map((intent) => ({ ...intent, ...made }));
  return ok({ object: 'search_result', url: '/v1/payment_intents/search', has_more: false, data });
}

function buildIntent(id: string, form: Form, created: number): Intent {
  return {
    id,
    created,
    object: 'payment_intent',
    amount: Number(form['amount']),
    amount_received: 0,
    currency: form['currency'] ?? '',
    customer: form['customer'] ?? '',
    payment_method: form['payment_method'] ?? '',
    payment_method_types: ['card'],
    metadata: readGroup(form, 'metadata'),
    status: 'processing',
    latest_charge: null,
    last_payment_error: null,
    next_action: null,
  };
}

function capture(intent: Intent): void {
  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  intent.latest_charge = {
    id: `ch_${intent.id}`,
    object: 'charge',
    created: intent.created,
    payment_method_details: { type: 'card', card: CARD },
    amount_refunded: 0,
    disputed: false,
  };
}
