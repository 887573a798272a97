import { accept, type Decision, rejectFields } from '../decider/index.js';
import type { Environment } from '../event/index.js';
import type { AppEvent, GatewayConfigured, StripeKeys } from './app.events.js';

/** The gateways that an app can be set to (rules/stripe 8). */
export const GATEWAY_KINDS = ['sandbox', 'stripe'] as const;
export type GatewayKind = (typeof GATEWAY_KINDS)[number];

/** Where new payment methods of an app are entered, as an operator may see it. */
export interface AppGateway {
  readonly kind: GatewayKind;
  /** The last characters of Stripe's secret key; empty where the app has none. */
  readonly secretKeyEnding: string;
}

export const DEFAULT_GATEWAY: AppGateway = { kind: 'sandbox', secretKeyEnding: '' };

/** The gateway as an operator sets it. */
export type WantedGateway =
  | { readonly kind: 'sandbox' }
  | (Extract<GatewayConfigured['data'], { readonly kind: 'stripe' }> & {
      /** Whether the secret key is of Stripe's live mode. */
      readonly isLive: boolean;
      /** Whether the keys are those that the app has, which each seal shows otherwise. */
      readonly areKept: boolean;
    });

/** As much of an app as its gateway is decided by. */
export interface GatewayOwner {
  readonly environment: Environment;
  readonly gateway: AppGateway;
  /** Kept also while the app is set to the sandbox: payments that Stripe took are refunded there (decision 0027). */
  readonly stripeKeys: StripeKeys | null;
}

/** Test apps take test keys, and production apps live ones: no test card pays, and no test clock charges. */
export function decideGateway(
  wanted: WantedGateway,
  { environment, gateway, stripeKeys }: GatewayOwner,
): Decision<AppEvent, { readonly code: 'app/key_of_other_mode' }> {
  if (wanted.kind === 'sandbox') {
    return gateway.kind === 'sandbox' ? accept() : accept(configured({ kind: 'sandbox' }));
  }
  const { isLive, areKept, ...data } = wanted;
  if (isLive !== (environment === 'production')) {
    const mode = environment === 'production' ? 'live' : 'test';
    const description = `must be a key of ${mode} mode, as the app is a ${environment} app`;
    return rejectFields('app/key_of_other_mode', [{ field: 'gateway.secretKey', description }]);
  }
  if (!areKept || stripeKeys === null) return accept(configured(data));
  if (gateway.kind === 'stripe') return accept();
  // They may have been sealed anew since they were looked at: a former master key is not to come back.
  const { secretKeyEnding } = gateway;
  return accept(configured({ kind: 'stripe', secretKeyEnding, ...stripeKeys }));
}

/** Folds the settings of an app's gateway. */
export function foldGateway(
  data: GatewayConfigured['data'],
  { gateway, stripeKeys }: Pick<GatewayOwner, 'gateway' | 'stripeKeys'>,
): Pick<GatewayOwner, 'gateway' | 'stripeKeys'> {
  if (data.kind === 'sandbox') return { gateway: { ...gateway, kind: 'sandbox' }, stripeKeys };
  const { kind, secretKeyEnding, sealedSecretKey, sealedWebhookSecret } = data;
  return {
    gateway: { kind, secretKeyEnding },
    stripeKeys: { sealedSecretKey, sealedWebhookSecret },
  };
}

function configured(data: GatewayConfigured['data']): GatewayConfigured {
  return { type: 'app.gateway_configured.v1', data };
}
