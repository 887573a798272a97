import { type CheckoutLinkCommand, checkoutLinkAggregate } from '#domain/checkout-link';
import { planAggregate } from '#domain/plan';
import { NO_BOUNDS, type PlayerBounds } from '#domain/player-plans';
import { subscriptionAggregate } from '#domain/subscription';
import type { CommandExecutor, CommandContext } from '#event-store';
import type { CommandContexts } from '#nest';
import {
  createdLink,
  offer,
} from '../../../../../libs/domain/src/checkout-link/spec-support/links.js';

export const NOW = '2027-01-31T10:00:00.000Z';
export const APP_ID = 'app_00000001';
export const context: CommandContext = {
  appId: APP_ID,
  environment: 'test',
  actor: 'app',
  correlationId: 'r',
  now: NOW,
};

/** Of all apps. */
export const HASH_KEYS: ConstructorParameters<typeof CommandContexts>[1] = {
  commandHashKey: () => Buffer.alloc(32, 1),
};

export const PLAYER = '5f2a9c04d1e84b7796ab30c2d4e5f601';

/** Makes a link that sells a plan for 9.99 a month. */
export async function makeLink(
  commands: CommandExecutor,
  linkId: string,
  { bounds = null, ...more }: { language?: string; bounds?: PlayerBounds | null } = {},
): Promise<void> {
  const link = {
    ...createdLink({ linkId, appId: APP_ID, player: PLAYER, offer: { ...offer, bounds } }).data,
    ...{ createdAt: NOW, expiresAt: '2027-02-01T10:00:00.000Z', ...more },
  };
  await onLink(commands, linkId, { kind: 'CreateCheckoutLink', link });
}

const PERIOD = { value: 1, unit: 'month' } as const;
const PLATINUM = {
  planId: 'plan_2',
  price: { amountMinor: '1999', currency: 'USD' },
  period: PERIOD,
} as const;

/** The change of `makeChangeLink`: it costs 10.00 at once. */
export const WANTED = {
  plan: PLATINUM,
  amountMinor: null,
  restartsPeriod: false,
  unusedCredit: 'forfeit',
} as const;

/** A subscription that was bought for 9.99 just now, and a link to a dearer plan. */
export async function makeChangeLink(
  commands: CommandExecutor,
  linkId: string,
  subscriptionId: string,
): Promise<void> {
  const plan = {
    ...{ planId: PLATINUM.planId, appId: APP_ID, segmentId: 'default', code: 'platinum' },
    ...{ name: 'Platinum', description: '', billingPeriod: PERIOD, prices: [PLATINUM.price] },
    ...{ trial: null, benefitsJson: '{}', availableFrom: null, availableUntil: null },
    ...NO_BOUNDS,
    createdAt: NOW,
  };
  await commands.execute(planAggregate, plan.planId, { kind: 'CreatePlan', plan }, context);
  const owner = { appId: APP_ID, player: PLAYER, regionCode: 'US', personal: {} };
  const terms = {
    ...{ subscriptionId, ...owner, checkoutLinkId: 'link_1', paymentMethod: 'pm_ok' },
    ...{ planId: 'plan_1', price: { amountMinor: '999', currency: 'USD' }, period: PERIOD },
    trial: null,
  };
  const initialPayment = { paymentId: 'pay_0', paymentRevision: 1 };
  const create = { kind: 'CreateSubscription', terms, initialPayment, now: NOW } as const;
  await commands.execute(subscriptionAggregate, subscriptionId, create, context);
  const change = {
    kind: 'plan',
    subscriptionId,
    amountMinor: null,
    restartsPeriod: false,
    unusedCredit: 'forfeit',
  } as const;
  const link = {
    ...{ linkId, ...owner, change, language: '', returnUrl: '' },
    offer: { ...PLATINUM, planName: 'Platinum', planDescription: '', trial: null, bounds: null },
    ...{ createdAt: NOW, expiresAt: '2027-02-01T10:00:00.000Z' },
  };
  await onLink(commands, linkId, { kind: 'CreateChangeLink', link });
}

/** A command of another process. */
export async function onLink(
  commands: CommandExecutor,
  linkId: string,
  command: CheckoutLinkCommand,
): Promise<void> {
  await commands.execute(checkoutLinkAggregate, linkId, command, context);
}
