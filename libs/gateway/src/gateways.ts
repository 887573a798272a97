import type { GatewayKind } from '#domain/app';
import type { PaymentGateway } from './gateway.js';

/** Which apps the sandbox may serve beside test apps: none, or all of them, for a trial run. */
export type SandboxInProductionApps = 'none' | 'trial';

/** The payment gateways of all apps (rules/stripe 8). Calls throw Fault `unavailable` of the store. */
export interface PaymentGateways {
  /** The gateway where payment methods of this app are entered now; undefined where none is configured. */
  find(appId: string): Promise<PaymentGateway | undefined>;
  /**
   * The gateway whose payment method this is, also where the app was set to another one since (decision
   * 0027); undefined where it does not serve the app.
   */
  findFor(appId: string, paymentMethod: string): Promise<PaymentGateway | undefined>;
  /** Whether a gateway of this kind serves the app, be it for earlier payments. */
  serves(appId: string, kind: GatewayKind): Promise<boolean>;
}

/** Stripe's payment methods name their customer; those of the sandbox are words. */
const OF_STRIPE = /^cus_/;

/** The kind of gateway that a payment method is of: a method names its gateway (decision 0027). */
export function readGatewayKind(paymentMethod: string): GatewayKind {
  return OF_STRIPE.test(paymentMethod) ? 'stripe' : 'sandbox';
}
