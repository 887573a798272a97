import type { SealNoticeEvent } from '#domain/seal';
import { LEDGER_SEALED } from '#domain/webhook-endpoint';
import { defineRow, type WebhookRow } from './webhook-row.js';

/** A checkpoint of the whole ledger, for witnesses: the same bytes for all (rules/evidence 10). */
export const SEAL_ROW: WebhookRow = defineRow<
  never,
  SealNoticeEvent,
  SealNoticeEvent['type'],
  'v2'
>({
  on: 'seal_notice.recorded.v1',
  family: 'v2',
  type: LEDGER_SEALED,
  render: ({ event: { data } }) => {
    const { size, note, previousSize, hashes } = data;
    return { data: { size, note, previous_size: previousSize, hashes } };
  },
});
