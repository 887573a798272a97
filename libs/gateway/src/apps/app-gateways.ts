import type { CreatedApp, GatewayKind } from '#domain/app';
import type { CommandExecutor } from '#event-store';
import type { Clock } from '#platform';
import type { PaymentGateway } from '../gateway.js';
import {
  type PaymentGateways,
  readGatewayKind,
  type SandboxInProductionApps,
} from '../gateways.js';
import { limitCalls } from '../limit-calls.js';
import { createSandboxGateway } from '../sandbox-gateway.js';
import { type Apps, type Secrets, StripeClients } from './stripe-clients.js';

export interface AppGatewaysOptions {
  readonly apps: Apps;
  readonly secrets: Secrets;
  readonly commands: CommandExecutor;
  readonly clock: Clock;
  readonly sandboxInProductionApps: SandboxInProductionApps;
  /** Where something answers in Stripe's place, for test apps. */
  readonly stripeStandIn: URL | undefined;
}

/**
 * The gateways that apps are set to (rules/stripe 8). A production app must never be paid with test cards
 * (rules/payments 1): the sandbox serves it in a trial run alone. No call to any of them takes longer
 * than its limit.
 */
export function createGateways(options: AppGatewaysOptions): PaymentGateways {
  const { apps } = options;
  const sandbox = limitCalls(createSandboxGateway(options));
  const servesAll = options.sandboxInProductionApps === 'trial';
  const stripe = loadStripe(options);
  const choose = async (
    app: CreatedApp | undefined,
    kind: GatewayKind | undefined,
  ): Promise<PaymentGateway | undefined> => {
    if (app === undefined) return undefined;
    if (kind === 'stripe') return (await stripe()).find(app);
    return app.environment === 'test' || servesAll ? sandbox : undefined;
  };
  return {
    find: async (appId) => {
      const app = await apps.find(appId);
      return choose(app, app?.gateway.kind);
    },
    findFor: async (appId, paymentMethod) =>
      choose(await apps.find(appId), readGatewayKind(paymentMethod)),
    serves: async (appId, kind) => (await choose(await apps.find(appId), kind)) !== undefined,
  };
}

/** The SDK is loaded when an app needs it: most programs start without it. */
function loadStripe({ secrets, stripeStandIn }: AppGatewaysOptions) {
  let clients: StripeClients<PaymentGateway> | undefined;
  return async () => {
    const { createStripeGateway } = await import('../stripe/index.js');
    return (clients ??= new StripeClients(secrets, stripeStandIn, createStripeGateway));
  };
}
