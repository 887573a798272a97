import { addMilliseconds, toMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import { eventually } from '../../support/eventually.js';
import { listPaymentIds } from './payment-ids.js';
import type { World } from './world.js';

const WEEK = { value: 1, unit: 'week' } as const;

/** Subscriptions of one app, bought one after the other, of each kind that a clock takes its own way with. */
export class ClockHistory {
  private constructor(
    private readonly world: World,
    readonly appId: string,
    private readonly bought: readonly string[],
    readonly beganAt: Instant,
  ) {}

  static async begin(world: World): Promise<ClockHistory> {
    const appId = await world.createApp();
    const bought = [
      await world.buy(appId, { paymentMethod: 'pm_renewal_declines' }),
      await world.buy(appId, { paymentMethod: 'pm_renewal_declines_once' }),
      await world.buy(appId, { trial: WEEK }),
    ];
    const { createdAt } = await world.subscription(bought[0] ?? '');
    return new ClockHistory(world, appId, bought, createdAt);
  }

  /** Advances to an instant in one call, while something is done about it. */
  async advanceTo(to: Instant, meanwhile: () => Promise<void> = async () => undefined) {
    await this.world.requestAdvance(this.appId, to);
    await meanwhile();
    const isThere = async () => (await this.world.clock(this.appId)).advance === null;
    await eventually(isThere, { what: 'the test clock', limitMs: 60_000 });
  }

  /**
   * Everything that has happened since the purchases, in the order of the log: the subscription, the event, the amount,
   * and the time since its purchase.
   */
  async tell(): Promise<readonly unknown[]> {
    const told: { readonly position: string; readonly line: unknown }[] = [];
    for (const [which, subscriptionId] of this.bought.entries()) {
      const { createdAt } = await this.world.subscription(subscriptionId);
      const paymentIds = await listPaymentIds(this.world, subscriptionId);
      const streams = [
        `subscription-${subscriptionId}`,
        ...paymentIds.slice(1).map((id) => `payment-${id}`),
      ];
      for (const stream of streams) {
        for (const { type, data, position, metadata } of await this.world.events(stream)) {
          const { period, amount } = data as { period?: { number: number }; amount?: unknown };
          const line = [which, type, since(metadata.occurredAt, createdAt), period?.number, amount];
          told.push({ position, line });
        }
      }
    }
    told.sort((a, b) => (a.position < b.position ? -1 : 1));
    const purchases = told.findLastIndex(({ line }) => String(line).includes('.created.'));
    return told.slice(purchases + 1).map(({ line }) => line);
  }
}

function since(instant: Instant, beginning: Instant): number {
  return toMilliseconds(instant) - toMilliseconds(beginning);
}

/** So many days later. */
export function daysAfter(instant: Instant, days: number): Instant {
  return addMilliseconds(instant, days * 86_400_000);
}
