import { LRUCache } from 'lru-cache';
import type { CreatedApp } from '#domain/app';
import type { StandIn, StripeAccount } from '../stripe/stripe-account.js';

/** A client of the SDK takes some 45 KB and a millisecond to make. */
const CLIENTS_KEPT = 1000;

/** The apps, kept current: a changed key counts for the next call. `AppDirectory` of the tenants is one. */
export interface Apps {
  find(appId: string): Promise<CreatedApp | undefined>;
}

/** Opens texts that were sealed for an app; `AppSecrets` of the tenants do. */
export interface Secrets {
  open(
    appId: string,
    purpose: 'Stripe secret key' | 'Stripe webhook secret',
    sealed: string,
  ): string;
}

interface Kept<Client> {
  readonly sealedSecretKey: string;
  readonly client: Client;
}

/** As much of an app as its account at Stripe is known by. */
export type StripeApp = Pick<CreatedApp, 'appId' | 'environment' | 'stripeKeys'>;

/**
 * How an app is known at Stripe; undefined for one that never was set to it.
 *
 * @param stripeStandIn serves test apps alone.
 * @throws Fault `undecodable` where it does not open.
 */
export function openAccount(
  { appId, environment, stripeKeys }: StripeApp,
  secrets: Secrets,
  stripeStandIn: URL | undefined,
): (StripeAccount & StandIn) | undefined {
  if (stripeKeys === null) return undefined;
  const isLive = environment === 'production';
  return {
    ...{ appId, isLive },
    // No setting that a test left behind may take the place of real money.
    ...(!isLive && stripeStandIn !== undefined && { apiBase: stripeStandIn }),
    secretKey: secrets.open(appId, 'Stripe secret key', stripeKeys.sealedSecretKey),
    webhookSecret: secrets.open(appId, 'Stripe webhook secret', stripeKeys.sealedWebhookSecret),
  };
}

/** Clients of Stripe, one for each app: made when it is first needed, and anew when its keys have changed. */
export class StripeClients<Client extends object> {
  readonly #kept = new LRUCache<string, Kept<Client>>({ max: CLIENTS_KEPT });

  constructor(
    private readonly secrets: Secrets,
    private readonly stripeStandIn: URL | undefined,
    private readonly create: (account: StripeAccount & StandIn) => Client,
  ) {}

  /** @throws Fault `undecodable` where the keys do not open. */
  find(app: StripeApp): Client | undefined {
    const sealedSecretKey = app.stripeKeys?.sealedSecretKey;
    const kept = this.#kept.get(app.appId);
    if (kept !== undefined && kept.sealedSecretKey === sealedSecretKey) return kept.client;
    const account = openAccount(app, this.secrets, this.stripeStandIn);
    if (account === undefined || sealedSecretKey === undefined) return undefined;
    const client = this.create(account);
    this.#kept.set(app.appId, { sealedSecretKey, client });
    return client;
  }
}
