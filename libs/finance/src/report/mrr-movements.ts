import { minor, money, type ReportRow, type SummaryReport, text } from './report.js';
import { readMeasures } from './measured-events.js';

/** Each movement of the report `mrr` with its event, in the order of leaves. */
export const mrrMovements: SummaryReport = {
  name: 'mrr-movements',
  description: 'each movement of the monthly recurring revenue of a period, with its event',
  columns: [
    ...[text('effective_on'), text('movement'), text('subscription'), text('plan')],
    ...[text('event_id'), text('event_type'), text('currency')],
    ...[money('before'), money('after'), money('change')],
  ],
  compute: async (books) => {
    const rows: ReportRow[] = [];
    for await (const { movements, ...event } of readMeasures(books)) {
      if (!event.isInPeriod) continue;
      const { effectiveOn: effective_on, subscription, plan, eventId, eventType } = event;
      for (const { kind: movement, currency, beforeMinor, afterMinor } of movements) {
        rows.push({
          ...{ effective_on, movement, subscription, plan, currency },
          ...{ event_id: eventId, event_type: eventType, [minor('before')]: beforeMinor },
          ...{ [minor('after')]: afterMinor, [minor('change')]: afterMinor - beforeMinor },
        });
      }
    }
    return rows;
  },
};
