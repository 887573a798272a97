import Stripe from 'stripe';
import { assertDefect } from '#platform';

/** How an app is known at Stripe. */
export interface StripeAccount {
  /** Several apps may have one account: each knows its own charges by this (decision 0027). */
  readonly appId: string;
  /** Of live mode, as production apps are; of test mode otherwise. */
  readonly isLive: boolean;
  /** `sk_` or `rk_`, of test or live mode. */
  readonly secretKey: string;
  /** `whsec_`, of the endpoint that Stripe sends its notices to. */
  readonly webhookSecret: string;
}

/** The address of a stand-in for Stripe, and the time limit of its answers. */
export interface StandIn {
  readonly apiBase?: URL;
  readonly callLimitMs?: number;
}

/** Below the limit of a call to the port, so that it is the SDK which closes the connection. */
const CALL_LIMIT_MS = 20_000;
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Stripe by its own SDK. A call that failed is not repeated here (the SDK itself repeats one whose connection
 * was closed, once, under the same key): who asks knows the key, its age and when to ask again.
 *
 * @param standIn for tests. It is on this machine: a secret key is sent nowhere else but to Stripe.
 */
export function connectStripe(secretKey: string, { apiBase, callLimitMs }: StandIn = {}): Stripe {
  const host = apiBase === undefined ? {} : toHost(apiBase);
  return new Stripe(secretKey, {
    ...host,
    maxNetworkRetries: 0,
    timeout: callLimitMs ?? CALL_LIMIT_MS,
    telemetry: false,
    appInfo: { name: 'subledger' },
  });
}

function toHost({ protocol, hostname, port }: URL) {
  assertDefect(LOOPBACK.has(hostname), `a stand-in of Stripe is on loopback, not ${hostname}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  return { protocol: protocol === 'https:' ? 'https' : 'http', host, port } as const;
}
