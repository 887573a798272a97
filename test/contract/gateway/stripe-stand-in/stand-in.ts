import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, invalid, ok, refuse } from './answers.js';
import { type Form, parseForm } from './form.js';
import { IdempotencyKeys } from './idempotency.js';
import { createIntent, type Intent, searchIntents, settleAll } from './intents.js';
import { listAll } from './lists.js';
import { type Payout, payOut, type Transaction } from './payouts.js';
import { createRefund, type Refund } from './refunds.js';
import { createSession, type Session, showPage } from './sessions.js';

export const SECRET_KEY = 'sk_test_standInForStripe1234';
/** Banks take a moment: a call with the same key meanwhile is refused as busy. */
const BANK_MS = 2;
const SLOW_MS = 300;

interface Dispute {
  readonly id: string;
  readonly created: number;
  readonly payment_intent: string;
  readonly amount: number;
  readonly currency: string;
  status: string;
}

interface StripeStandIn {
  readonly url: URL;
  readonly intents: Map<string, Intent>;
  readonly refunds: Map<string, Refund>;
  readonly disputes: Map<string, Dispute>;
  readonly sessions: Map<string, Session>;
  readonly payouts: Map<string, Payout>;
  readonly transactions: Map<string, Transaction>;
  readonly nowMs: () => number;
  readonly requests: { readonly method: string; readonly path: string; readonly form: Form }[];
  /** The key that is accepted. */
  secretKey: string;
  /** The search shows nothing while this is set. */
  searchLags: boolean;
  settle(): void;
  /** Pays out all that was captured, less refunds and fees. */
  payOut(id: string): void;
  /** How much was captured for a reference. */
  sumCaptured(reference: string): bigint;
  stop(): Promise<void>;
}

/**
 * A server that speaks the adapter's part of Stripe's HTTP, as its documentation has it: forms in, JSON out,
 * idempotency keys, errors. It is no proof of Stripe's behaviour.
 *
 * @param atPort of the own machine; 0 is any that is free.
 */
export async function startStripeStandIn(nowMs: () => number, atPort = 0): Promise<StripeStandIn> {
  const keys = new IdempotencyKeys(nowMs);
  const server = createServer((request, response) => {
    void answerRequest(standIn, keys, request, response);
  });
  await new Promise<void>((resolve) => server.listen(atPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const standIn: StripeStandIn = {
    url: new URL(`http://127.0.0.1:${port}`),
    intents: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    sessions: new Map(),
    payouts: new Map(),
    transactions: new Map(),
    nowMs,
    requests: [],
    secretKey: SECRET_KEY,
    searchLags: false,
    settle: () => {
      settleAll(standIn.intents);
      for (const refund of standIn.refunds.values()) refund.status = 'succeeded';
    },
    payOut: (id) => payOut(standIn, id),
    sumCaptured: (reference) => sumCaptured(standIn.intents, reference),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}

async function answerRequest(
  standIn: StripeStandIn,
  keys: IdempotencyKeys,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', headers } = request;
  const { pathname: path, search } = new URL(request.url ?? '', standIn.url);
  const body = await text(request);
  const form = parseForm(method === 'POST' ? body : search);
  if (showPage(standIn.sessions, { method, path, form }, response)) return;
  standIn.requests.push({ method, path, form });
  if (headers.authorization !== `Bearer ${standIn.secretKey}`) {
    const error = { type: 'invalid_request_error', message: 'Invalid API Key provided' };
    send(response, refuse(401, error), false);
    return;
  }
  const key = headers['idempotency-key'];
  const act = () => route(standIn, method, path, form);
  const { answer, isReplayed } =
    method === 'POST' && typeof key === 'string'
      ? await keys.run(key, `${method} ${path} ${body}`, act)
      : { answer: await act(), isReplayed: false };
  if (form['payment_method'] === 'pm_hanging') return;
  if (form['payment_method'] === 'pm_lost_answer' && !isReplayed) loseAnswer(response);
  else send(response, answer, isReplayed);
}

async function route(
  standIn: StripeStandIn,
  method: string,
  path: string,
  form: Form,
): Promise<Answer> {
  if (method === 'GET') return show(standIn, path, form);
  await sleep(form['payment_method'] === 'pm_slow' ? SLOW_MS : BANK_MS);
  const { intents, refunds, nowMs } = standIn;
  const seconds = Math.floor(nowMs() / 1000);
  if (path === '/v1/payment_intents') return charge(intents, form, seconds);
  if (path === '/v1/customers') return ok({ id: `cus_${standIn.requests.length}` });
  if (path === '/v1/checkout/sessions') {
    return createSession(standIn.sessions, form, { origin: standIn.url.origin, created: seconds });
  }
  if (path === '/v1/refunds') return createRefund(intents, refunds, form, seconds);
  return invalid('', `Unrecognized request URL ${path}`, undefined, 404);
}

type Shown = Intent | Refund | Dispute | Session | Payout | Transaction;

/** A list, or one object by its id. */
function show(standIn: StripeStandIn, path: string, form: Form): Answer {
  const { intents, refunds, disputes, searchLags } = standIn;
  if (path === '/v1/payment_intents/search') {
    return searchIntents(searchLags ? new Map<string, Intent>() : intents, form['query'] ?? '');
  }
  const [name = '', id = ''] = path.replace('checkout/', '').split('/').slice(2);
  const kinds: Readonly<Record<string, ReadonlyMap<string, Shown>>> = {
    payment_intents: intents,
    refunds,
    disputes,
    sessions: standIn.sessions,
    payouts: standIn.payouts,
    balance_transactions: standIn.transactions,
  };
  const all = kinds[name];
  if (all && id === '') return listAll(all.values(), form);
  const found = all?.get(id);
  return found ? ok(found) : invalid('resource_missing', `No such ${path}`, 'id', 404);
}

function charge(intents: Map<string, Intent>, form: Form, seconds: number): Answer {
  const failed = { type: 'api_error', message: 'Sorry, something went wrong on our end.' };
  if (form['payment_method'] === 'pm_down') return refuse(503, failed);
  const answer = createIntent(intents, form, seconds);
  return form['payment_method'] === 'pm_failing' ? refuse(500, failed) : answer;
}

/** The head of an answer, and then no more. */
function loseAnswer(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
  response.write('{', () => response.destroy());
}

function send(response: ServerResponse, { status, body }: Answer, isReplayed: boolean): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': 'req_stand_in',
    ...(isReplayed && { 'idempotent-replayed': 'true' }),
  });
  response.end(JSON.stringify(body));
}

function sumCaptured(intents: Map<string, Intent>, reference: string): bigint {
  const own = [...intents.values()].filter((intent) =>
    Object.values(intent.metadata).includes(reference),
  );
  return own.reduce((sum, { amount_received }) => sum + BigInt(amount_received), 0n);
}
