import { minor, money, type ReportRow, type SummaryReport, text } from './report.js';
import { readMeasures } from './measured-events.js';

/** Subscriptions that ended with a renewal that was not paid, each with its events, in the order of leaves. */
export const lostToDunning: SummaryReport = {
  name: 'lost-to-dunning',
  description: 'charges that were given up, and the subscriptions that ended with them',
  columns: [
    ...[text('effective_on'), text('cause'), text('subscription'), text('plan'), text('payment')],
    ...[{ name: 'attempts', kind: 'integer' as const }, text('reason')],
    ...[text('event_id'), text('failure_event_id'), text('currency')],
    ...[money('charge'), money('mrr')],
  ],
  compute: async (books) => {
    const rows: ReportRow[] = [];
    for await (const { lost, isInPeriod, ...event } of readMeasures(books)) {
      if (lost === null || !isInPeriod) continue;
      const { amount, attempt: attempts, cause, reason, monthly } = lost;
      const { effectiveOn: effective_on, subscription, plan, eventId: event_id } = event;
      rows.push({
        ...{ effective_on, cause, subscription, plan, payment: lost.paymentId, attempts, reason },
        ...{ event_id, failure_event_id: lost.failureEventId, currency: amount.currency },
        ...{ [minor('charge')]: BigInt(amount.amountMinor) },
        ...{ [minor('mrr')]: BigInt(monthly.amountMinor) },
      });
    }
    return rows;
  },
};
