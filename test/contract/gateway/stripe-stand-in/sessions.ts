import type { ServerResponse } from 'node:http';
import { type Answer, invalid, ok } from './answers.js';
import { CARDS } from './cards.js';
import { type Form, readGroup } from './form.js';

/** A Checkout Session in setup mode. */
export interface Session {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly created: number;
  readonly mode: string;
  readonly customer: string;
  readonly metadata: Record<string, string>;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly url: string;
  status: 'open' | 'complete';
  setup_intent: {
    readonly object: 'setup_intent';
    readonly status: string;
    readonly payment_method: string;
  } | null;
}

/** `POST /v1/checkout/sessions` with `mode=setup`. */
export function createSession(
  sessions: Map<string, Session>,
  form: Form,
  { origin, created }: { readonly origin: string; readonly created: number },
): Answer {
  const { mode = '', customer = '', success_url = '', cancel_url = '' } = form;
  if (mode !== 'setup') return invalid('parameter_invalid', 'Only setup is known here', 'mode');
  if (form['allowed_payment_method_types[0]'] !== 'card') {
    return invalid('parameter_missing', 'Missing required param: currency.', 'currency');
  }
  if (!URL.canParse(success_url)) return invalid('url_invalid', 'Not a valid URL', 'success_url');
  const id = `cs_test_${sessions.size + 1}`;
  const session: Session = {
    ...{ id, object: 'checkout.session', created, mode, customer, success_url, cancel_url },
    ...{ metadata: readGroup(form, 'metadata'), url: `${origin}/c/${id}` },
    ...{ status: 'open', setup_intent: null },
  };
  sessions.set(id, session);
  return ok(session);
}

/** The page at Stripe: a card is entered with one click, or none. @returns whether it was asked for. */
export function showPage(
  sessions: ReadonlyMap<string, Session>,
  { method, path, form }: { readonly method: string; readonly path: string; readonly form: Form },
  response: ServerResponse,
): boolean {
  const session = sessions.get(path.replace(/^\/c\//, ''));
  if (!path.startsWith('/c/') || !session) return false;
  if (method === 'POST') {
    const location = completeSession(session, form['payment_method'] ?? '');
    response.writeHead(303, { location }).end();
  } else {
    response.writeHead(200, { 'content-type': 'text/html' }).end(renderPage(session));
  }
  return true;
}

function renderPage({ id, cancel_url }: Session): string {
  const buttons = [...CARDS.keys()].map(
    (card) => `<button name="payment_method" value="${card}">${card}</button>`,
  );
  return `<!doctype html><title>Stand-in</title><h1>Enter your card</h1>
<form method="post" action="/c/${id}">${buttons.join('')}</form><a href="${cancel_url}">Back</a>`;
}

/** The card was entered. @returns the address to which the browser is led. */
function completeSession(session: Session, paymentMethod: string): string {
  session.status = 'complete';
  session.setup_intent = {
    ...{ object: 'setup_intent', status: 'succeeded', payment_method: paymentMethod },
  };
  return session.success_url.replace('{CHECKOUT_SESSION_ID}', session.id);
}
