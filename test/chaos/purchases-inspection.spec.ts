import { describe, expect, it } from 'vitest';
import type { ReceivedWebhook } from '../support/webhook-receiver.js';
import { countMissingWebhooks, groupWebhooks } from './purchases-inspection.js';

const webhook = (
  type: string,
  data: Record<string, unknown>,
  webhookId: string,
): ReceivedWebhook => ({
  headers: { 'webhook-id': webhookId },
  bytes: Buffer.alloc(0),
  ...{ type, data },
});

const CREATED = webhook('subscription.created', { id: 'sub_1' }, 'msg_1');
const PAID = webhook('payment.succeeded', { id: 'pay_1', subscription_id: 'sub_1' }, 'msg_2');

describe('the inspection of webhooks', () => {
  it('misses those that were not delivered, of each subscription', () => {
    expect(countMissingWebhooks(['sub_1'], [PAID, CREATED])).toBe(0);
    expect(countMissingWebhooks(['sub_1'], [PAID, PAID])).toBe(1);
    expect(countMissingWebhooks(['sub_1', 'sub_2'], [PAID, CREATED])).toBe(2);
  });

  it('tells one that was repeated from one that was sent under two ids', () => {
    const ids = (received: ReceivedWebhook[]) =>
      groupWebhooks(received).get('sub_1')?.get('payment.succeeded')?.size;
    expect(ids([PAID, PAID])).toBe(1);
    expect(ids([PAID, webhook(PAID.type, PAID.data, 'msg_3')])).toBe(2);
  });
});
