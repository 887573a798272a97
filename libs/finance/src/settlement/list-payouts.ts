import { type AccountingPeriod, dayAt, periodAt } from '#domain/bookkeeping';
import { idOf } from '#domain/event';
import { settlementAggregate, type SettlementEvent } from '#domain/settlement';
import { readLog } from '#event-store';
import type { FinanceApp } from '../finance-app.js';

/** A month of an accounting zone. */
interface Month {
  readonly period: AccountingPeriod;
  readonly zone: string;
}

/** The payouts of an app that have an imported row of a month, or were made in it. @throws Fault. */
export async function listPayouts(
  { appId, store }: FinanceApp,
  { period, zone }: Month,
): Promise<ReadonlySet<string>> {
  const payouts = new Set<string>();
  const ofMonth = new Set<string>();
  const categories = [settlementAggregate.category];
  for await (const { events } of readLog({ store, categories })) {
    for (const event of events) {
      if ('undecodable' in event || event.metadata.appId !== appId) continue;
      const id = idOf(event.streamName);
      // Only rows and their payouts are in these streams, each row before its payout.
      const { type, data } = event as unknown as SettlementEvent;
      if (type === 'settlement.payout_noted.v1') {
        if (ofMonth.has(id)) payouts.add(data.payoutId);
      } else if (periodAt(dayAt(data.createdAt, zone)) === period) {
        ofMonth.add(id);
        if (data.category === 'payout') payouts.add(data.sourceId);
      }
    }
  }
  return payouts;
}
