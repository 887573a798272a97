import { describe, expect, it } from 'vitest';
import { noPayment } from '#domain/payment';
import { noSubscription } from '#domain/subscription';
import { neededStates, renderMessages } from './render-messages.js';
import { defineRow } from './webhook-row.js';

const open = () => ({ accountId: 'player-1' });

const event = {
  id: '5f1d8c0e-5a3b-4b7e-9c42-d0a8e4f7b615',
  type: 'item.viewed.v1',
  data: { itemId: 'sword' },
  streamName: 'activity-player_1',
  revision: 41,
  position: '0'.repeat(20),
  metadata: {
    $correlationId: 'request-1',
    actor: 'app',
    appId: 'app_1',
    environment: 'test',
    occurredAt: '2027-01-31T10:00:00.000Z',
  },
} as const;
const nothing = { state: null, payment: null, open };

/** A stream whose fold counts its messages, as that of a subscription does. */
const counted = {
  category: 'activity',
  decider: {
    initialState: { status: 'none' } as { status: 'none' } | { status: 'on'; messageCount: number },
    evolve: (state: { status: 'none' } | { status: 'on'; messageCount: number }, _event: Viewed) =>
      state,
  },
};
type Viewed = { readonly type: 'item.viewed.v1'; readonly data: { readonly itemId: string } };
const v1 = defineRow({
  on: 'item.viewed.v1',
  family: 'v1',
  type: 'VIEW_ITEM',
  stream: counted,
  render: ({ event: { data, metadata } }) => ({
    environment: metadata.environment,
    eventData: { itemId: data.itemId },
  }),
});
const v2 = defineRow({
  on: 'item.viewed.v1',
  family: 'v2',
  type: 'payment.succeeded',
  stream: counted,
  render: () => ({ data: {} }),
});

describe('the messages of an event', () => {
  it('may be several, of both families, each with its own id, in the order of the rows', () => {
    const messages = renderMessages(
      event,
      { state: { status: 'on', messageCount: 7 }, payment: null, open },
      [v1, v2],
    );
    expect(messages).toEqual([
      {
        id: 'msg_2ca26bed-6574-577a-aeb0-249e45e9bb8e',
        type: 'VIEW_ITEM',
        subject: 'player_1',
        sequence: 6,
        body: '{"type":"VIEW_ITEM","environment":"test","eventData":{"itemId":"sword"}}',
      },
      {
        id: 'msg_ebdd9246-ccfb-5cb5-8cdf-a0c40067b22b',
        type: 'payment.succeeded',
        subject: 'player_1',
        sequence: 7,
        body: '{"type":"payment.succeeded","data":{}}',
      },
    ]);
  });

  it('have ids that follow from the event, the family and the type, and from nothing else', () => {
    const ids = (id: string) =>
      renderMessages(
        { ...event, id },
        { state: { status: 'on', messageCount: 2 }, payment: null, open },
        [v1, v2],
      ).map((message) => message.id);
    const all = [...ids('one'), ...ids('two')];
    expect(new Set(all).size).toBe(4);
    expect(ids('one')).toEqual(ids('one'));
    for (const id of all) expect(id).toMatch(/^msg_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it('are none of an event that is not sent, nor of a stream that never began', () => {
    const requested = { ...event, type: 'payment.requested.v3' };
    expect(neededStates(requested)).toBeUndefined();
    expect(renderMessages(requested, { state: {}, payment: null, open })).toEqual([]);
    const canceled = { ...event, type: 'subscription.canceled.v1' };
    expect(renderMessages(canceled, { state: noSubscription, payment: null, open })).toEqual([]);
  });
});

it('a row on a stream whose fold counts no messages does not compile', () => {
  interface Uncounted {
    readonly status: 'none' | 'on';
  }
  const initialState: Uncounted = { status: 'none' };
  const evolve = (state: Uncounted, _event: Viewed) => state;
  const row = defineRow({
    on: 'item.viewed.v1',
    family: 'v1',
    type: 'VIEW_ITEM',
    // @ts-expect-error its state has no `messageCount`.
    stream: { category: 'activity', decider: { initialState, evolve } },
    render: () => ({}),
  });
  expect(row.on).toBe('item.viewed.v1');
});

describe('a message of a short-lived stream', () => {
  const short = defineRow({
    on: 'item.viewed.v1',
    family: 'v1',
    type: 'VIEW_ITEM',
    render: () => ({ environment: 'test' }),
  });

  it('is numbered by its revision, so that no earlier event is needed', () => {
    expect(neededStates(event, [short])).toEqual({ stream: null, payment: null });
    expect(renderMessages(event, nothing, [short])).toMatchObject([
      { subject: 'player_1', sequence: 42 },
    ]);
  });

  it('is the only one of its event: two would be given one number', () => {
    expect(() => renderMessages(event, nothing, [short, short])).toThrow(/one message an event/);
  });
});

describe('a message about a noted payment', () => {
  const noted = { paymentId: 'pay_1', paymentRevision: 3 };
  const refunded = { ...event, type: 'subscription.refund_recorded.v1', data: noted };

  it('is rendered from the payment as of the noted event', () => {
    expect(neededStates(refunded)).toMatchObject({
      stream: { category: 'subscription' },
      payment: noted,
    });
  });

  it('is a defect where that payment is not there', () => {
    const state = { status: 'active', messageCount: 1 };
    expect(() => renderMessages(refunded, { state, payment: noPayment, open })).toThrow(
      /not there/,
    );
    expect(() => renderMessages(refunded, { state, payment: null, open })).toThrow(/not there/);
  });
});
