import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../support/verify-webhook.js';
import { bearer } from '../support/api-client.js';
import { refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { advanceTo, buy, issuePlayerToken, requireOk, seeing } from '../support/scenario.js';

const ledger = useLedger();

describe('one subscription, from the plan to the last webhook', () => {
  let receiver: WebhookReceiver;
  let secret: string;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    const endpoint = { url: receiver.url, eventTypes: ['*'] };
    const path = `/manage/apps/${ledger.appId}/webhook-endpoints`;
    secret = String(requireOk(await ledger.operator.post(path, endpoint)).body['secret']);
  });

  afterAll(() => receiver.close());

  it('is bought, listed, canceled twice and reactivated', async () => {
    const { subscriptionId, token } = await buy(ledger.backend, {
      plan: 'gold',
      player: 'player-1',
    });
    const player = bearer(
      ledger.standalone.baseUrl,
      await issuePlayerToken(ledger.backend, 'player-1'),
    );
    const seen = seeing(token);

    const listed = await player.get('/sdk/subscriptions', seen);
    expect(listed.body).toMatchObject({
      subscriptions: [{ id: subscriptionId, status: 'active', external_account_id: 'player-1' }],
      nextPageToken: '',
    });
    const payments = await player.get(`/sdk/subscriptions/${subscriptionId}/payments`, seen);
    expect(payments.body).toMatchObject({
      payments: [
        {
          amountCents: '999',
          currency: 'USD',
          succeeded: true,
          status: 'SUBSCRIPTION_PAYMENT_STATUS_SUCCEEDED',
          paymentContext: 'PAYMENT_CONTEXT_INITIAL',
        },
      ],
    });

    const canceled = await player.post(`/sdk/subscriptions/${subscriptionId}/cancel`);
    expect(canceled.status).toBe(200);
    expect(canceled.body).toMatchObject({ status: 'canceled', cancel_at_period_end: true });
    const again = await player.post(`/sdk/subscriptions/${subscriptionId}/cancel`);
    expect(again.body).toEqual(canceled.body);
    expect(again.headers.get('etag')).toBe(canceled.headers.get('etag'));

    const reactivated = await player.post(`/sdk/subscriptions/${subscriptionId}/reactivate`);
    expect(reactivated.body).toMatchObject({
      status: 'active',
      cancel_at_period_end: false,
      canceled_at: null,
    });

    const expected = [
      'payment.succeeded',
      'subscription.created',
      'subscription.canceled',
      'subscription.reactivated',
    ];
    await receiver.until(() => receiver.typesSentFor(subscriptionId).length >= expected.length);
    expect(receiver.typesSentFor(subscriptionId)).toEqual(expected);
  });

  it('is renewed in vain, becomes past due, and expires by a cancel with one single webhook', async () => {
    const { subscriptionId, token: boughtToken } = await buy(ledger.backend, {
      plan: 'gold',
      player: 'player-2',
      paymentMethod: 'pm_renewal_declines',
    });
    const bought = await ledger.backend.get(
      `/sdk/subscriptions/${subscriptionId}`,
      seeing(boughtToken),
    );
    const due = String(bought.body['current_period_end']);
    const token = await advanceTo(ledger.operator, ledger.appId, due);

    const pastDue = await ledger.backend.get(`/sdk/subscriptions/${subscriptionId}`, seeing(token));
    expect(pastDue.body).toMatchObject({ status: 'past_due', current_period_end: due });

    await receiver.until(() => receiver.typesSentFor(subscriptionId).length >= 4);
    const before = receiver.typesSentFor(subscriptionId);
    expect(before).toEqual([
      'payment.succeeded',
      'subscription.created',
      'payment.failed',
      'subscription.payment_failed',
    ]);
    const canceled = await ledger.backend.post(`/sdk/subscriptions/${subscriptionId}/cancel`);
    expect(canceled.body).toMatchObject({ status: 'expired' });
    const refused = await ledger.backend.post(`/sdk/subscriptions/${subscriptionId}/cancel`);
    expect(refusal(refused)).toEqual([400, 9, 'SUBSCRIPTION_EXPIRED']);

    // A later message of the same app tells that nothing else of this subscription was in between.
    const other = await buy(ledger.backend, { plan: 'gold', player: 'player-3' });
    await receiver.until(() =>
      receiver.typesSentFor(other.subscriptionId).includes('subscription.created'),
    );
    await receiver.until(() => receiver.typesSentFor(subscriptionId).length > before.length);
    expect(receiver.typesSentFor(subscriptionId).slice(before.length)).toEqual([
      'subscription.expired',
    ]);
  });

  it('sends webhooks with signatures that verify, and sequences without gaps', () => {
    const sequences = new Map<string, number[]>();
    for (const { headers, bytes, data } of receiver.received) {
      expect(verifyWebhook(secret, headers, bytes.toString())).toBe(true);
      const subject = String(data['subscription_id'] ?? data['id']);
      const known = sequences.get(subject) ?? [];
      sequences.set(subject, [...known, Number(headers['service-event-sequence'])]);
    }
    for (const sequence of sequences.values()) {
      expect(sequence).toEqual(sequence.map((_, index) => index + 1));
    }
  });
});
