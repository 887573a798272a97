import { describe, expect, it } from '@jest/globals';
import type { DomainEvent, RecordedEvent } from '#domain/event';
import { paymentAggregate } from '#domain/payment';
import { subscriptionAggregate } from '#domain/subscription';
import { isWebhookEvent, renderMessage, type WebhookMessage } from '#webhooks';
import { WEBHOOK_TYPES } from '../../libs/webhooks/src/catalogue.js';
import { golden, goldenNames } from './golden-files.js';
import {
  declinedCheckout,
  payment,
  renewalPaid,
  subscription,
  trialSubscription,
} from './stories/purchase.js';

/** What merchants receive, byte for byte (rules/webhooks 1 to 3). */
const told = [
  ...renderMessages(subscriptionAggregate, 'sub_01gold', subscription.events),
  ...renderMessages(paymentAggregate, 'pay_01first', payment.events),
  ...renderMessages(paymentAggregate, 'pay_01first', declinedCheckout.events),
];

describe('a webhook', () => {
  it.each(WEBHOOK_TYPES)('%s has the golden body', (type) => {
    const message = told.find((one) => one.type === type);
    expect(message?.body).toBe(golden('webhooks', type, message?.body ?? ''));
  });

  it.each([
    ['subscription.created-on-trial', trialSubscription, subscriptionAggregate],
    ['payment.succeeded-yen', renewalPaid(yen('980'), 'captured'), paymentAggregate],
    ['payment.failed-dinar', renewalPaid(dinar('9990'), 'declined'), paymentAggregate],
  ] as const)('%s has the golden body', (name, { events }, aggregate) => {
    const body = renderMessages(aggregate, 'x', events).at(-1)?.body ?? '';
    expect(body).toBe(golden('webhooks', name, body));
  });

  it('of every golden file is one that is sent, and no other file is there', () => {
    expect(goldenNames('webhooks').sort()).toEqual([...VARIANTS, ...WEBHOOK_TYPES].sort());
  });
});

describe('the data of a webhook', () => {
  it('is the subject as it stood at that event', () => {
    const statuses = told
      .filter(({ type }) => type.startsWith('subscription.'))
      .map(({ type, body }) => [
        type,
        (JSON.parse(body) as { data: { status: string } }).data.status,
      ]);
    expect(statuses).toEqual([
      ['subscription.created', 'active'],
      ['subscription.payment_failed', 'past_due'],
      ['subscription.payment_succeeded', 'active'],
      ['subscription.canceled', 'canceled'],
      ['subscription.reactivated', 'active'],
      ['subscription.canceled', 'canceled'],
      ['subscription.expired', 'expired'],
    ]);
  });

  it('counts refunds together', () => {
    const totals = told
      .filter(({ type }) => type === 'payment.refunded')
      .map(
        ({ body }) => (JSON.parse(body) as { data: Record<string, string> }).data['total_refunded'],
      );
    expect(totals).toEqual(['4.00', '9.99']);
  });
});

describe('the subject of a webhook', () => {
  it('is the subscription, also of the payments that belong to it', () => {
    const subjects = told.slice(0, -1).map(({ subject }) => subject);
    expect(new Set(subjects)).toEqual(new Set(['sub_01gold']));
  });

  it('is the payment itself where a declined checkout left no subscription', () => {
    const failed = told.at(-1);
    expect(failed).toMatchObject({ type: 'payment.failed', subject: 'pay_01first' });
    expect(failed?.body).not.toContain('subscription_id');
  });
});

type AnyAggregate = typeof subscriptionAggregate | typeof paymentAggregate;

const VARIANTS = ['subscription.created-on-trial', 'payment.succeeded-yen', 'payment.failed-dinar'];

function yen(amountMinor: string) {
  return { amountMinor, currency: 'JPY' };
}

function dinar(amountMinor: string) {
  return { amountMinor, currency: 'KWD' };
}

/** The messages of a stream, each from the state that its event left. */
function renderMessages(
  { category, decider }: AnyAggregate,
  id: string,
  events: readonly DomainEvent[],
): WebhookMessage[] {
  // A story's events are those of the aggregate that it was played through.
  const evolve = decider.evolve as (state: unknown, event: DomainEvent) => unknown;
  let state: unknown = decider.initialState;
  return events.flatMap((event, revision) => {
    state = evolve(state, event);
    const message = renderMessage(recorded(event, `${category}-${id}`, revision), state);
    expect(message !== null).toBe(isWebhookEvent(event.type));
    return message ?? [];
  });
}

function recorded(event: DomainEvent, streamName: string, revision: number): RecordedEvent {
  return {
    ...event,
    id: `${streamName}/${revision}`,
    streamName,
    revision,
    position: '0'.repeat(20),
    metadata: {
      $correlationId: 'request-1',
      actor: 'app',
      appId: 'app_01gold',
      environment: 'test',
      schemaVersion: 1,
      occurredAt: '2027-01-31T10:00:00.000Z',
    },
  };
}
