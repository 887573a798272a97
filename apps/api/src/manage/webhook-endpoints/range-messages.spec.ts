import { describe, expect, it, vi } from 'vitest';
import { addMilliseconds } from '#domain/calendar';
import type { RecordedEvent } from '#domain/event';
import type { EventStore, FeedItem } from '#event-store';
import type { Ledger } from '#nest';
import { RangeMessages } from './range-messages.js';

const NOW = '2027-02-01T10:00:00.000Z';
const HOUR_MS = 3_600_000;
const hours = (count: number) => addMilliseconds(NOW, count * HOUR_MS);
const position = (n: number) => String(n).padStart(20, '0');
const RANGE = { since: hours(-2), until: hours(-1), types: [] };

/** An event of a subscription, at its place in the store. */
const canceled = (n: number, occurredAt = hours(-1.5), appId = 'app_1'): RecordedEvent => ({
  ...{ id: `event-${n}`, type: 'subscription.canceled.v1', data: {} },
  ...{ streamName: `subscription-sub_${n}`, revision: 3, position: position(n) },
  metadata: {
    ...{ $correlationId: 'c', actor: 'app', appId, environment: 'test' },
    occurredAt,
  },
});

interface Given {
  readonly events: readonly FeedItem[];
  /** When the time index has which positions. */
  readonly index?: readonly (readonly [string, number])[];
}

function create({ events, index = [] }: Given) {
  const reads: string[] = [];
  const store: Pick<EventStore, 'readStream' | 'subscribe' | 'headPosition'> = {
    async *readStream() {
      for (const [at, n] of [...index].reverse()) {
        // The part of a record that these tests look at.
        yield { data: { at }, position: position(n) } as RecordedEvent;
      }
    },
    headPosition: async () => events.at(-1)?.position ?? '',
    async *subscribe({ after, batchSize, onCaughtUp, signal }) {
      reads.push(`after ${Number(after)}`);
      const left = events.filter((each) => each.position > after);
      for (let at = 0; at < left.length; at += batchSize) {
        const batch = left.slice(at, at + batchSize);
        yield { events: batch, upTo: batch.at(-1)?.position ?? after };
      }
      onCaughtUp?.();
      expect(signal.aborted).toBe(true);
    },
  };
  const load = async () => ({ state: { status: 'active', messageCount: 4 } });
  const messages = new RangeMessages({ load } as unknown as Ledger, store, { now: () => NOW });
  const find = (more: Partial<Parameters<RangeMessages['find']>[0]> = {}) => {
    const endpoint = { appId: 'app_1', eventTypes: ['*'] };
    return messages.find({ endpoint, range: RANGE, now: NOW, after: undefined, ...more });
  };
  return { find, reads };
}

const streams = (found: { messages: readonly { streamName: string }[] }) =>
  found.messages.map(({ streamName }) => streamName.replace('subscription-sub_', ''));

describe('the messages of a time', () => {
  it('are of the events of the app within it, from their own dates', async () => {
    const { find } = create({
      events: [
        canceled(1, hours(-3)),
        canceled(2, hours(-2)),
        canceled(3, hours(-1.5), 'app_2'),
        canceled(4, addMilliseconds(hours(-1), -1)),
        canceled(5, hours(-1)),
        { ...canceled(6), type: 'subscription.renewal_requested.v1' },
      ],
    });
    const found = await find();
    expect(streams(found)).toEqual(['2', '4']);
    expect(found).toMatchObject({ restAfter: null, progressPercent: 100 });
    const id = expect.stringMatching(/^msg_/);
    expect(found.messages[0]).toEqual({
      ...{ streamName: 'subscription-sub_2', revision: 3, messageId: id },
    });
  });

  it('are those that the endpoint takes, and of the types that were named', async () => {
    const { find } = create({ events: [canceled(1)] });
    const takes = (...eventTypes: string[]) => find({ endpoint: { appId: 'app_1', eventTypes } });
    expect(streams(await takes('subscription.*'))).toEqual(['1']);
    expect(streams(await takes('payment.*'))).toEqual([]);
    const named = (...types: string[]) => find({ range: { ...RANGE, types } });
    expect(streams(await named('subscription.canceled'))).toEqual(['1']);
    expect(streams(await named('subscription.expired'))).toEqual([]);
  });

  it('are named by calls of a bounded number, each from where the one before has ended', async () => {
    const events = Array.from({ length: 2_600 }, (_, n) => canceled(n + 1));
    const { find, reads } = create({ events });
    const first = await find();
    expect(first).toMatchObject({ restAfter: position(2_500), progressPercent: 96 });
    const rest = await find({ after: first.restAfter ?? undefined });
    expect([...streams(first), ...streams(rest)]).toEqual(events.map((_, n) => String(n + 1)));
    expect(rest.restAfter).toBeNull();
    expect(reads).toEqual(['after 0', 'after 2500']);
  });

  it('are read for some seconds by one call, whatever they are', async () => {
    vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(8_000);
    const { find } = create({ events: Array.from({ length: 501 }, (_, n) => canceled(n + 1)) });
    expect(await find()).toMatchObject({ restAfter: position(500) });
  });

  it('are read from where the store stood then, and no further than the time', async () => {
    const index = [-5, -4, -3, -2, -1, 0].map((at, n) => [hours(at), 10 * (n + 1)] as const);
    const events = [canceled(15), canceled(35), canceled(55), canceled(56)];
    const { find, reads } = create({ events, index });
    expect(streams(await find())).toEqual(['35', '55', '56']);
    expect(reads).toEqual(['after 30']);
    const late = create({ events: [...events, canceled(99), canceled(100)], index });
    const range = { ...RANGE, since: hours(-4.5), until: hours(-3.5) };
    await late.find({ range });
    expect(late.reads).toEqual(['after 10']);
  });

  it('were appended as much earlier as the clock of the app is ahead', async () => {
    const index = [-5, -4, -3, -2, -1, 0].map((at, n) => [hours(at), 10 * (n + 1)] as const);
    // A test clock that is two hours ahead: its time of an hour ago was appended three hours ago.
    const { find, reads } = create({ events: [canceled(25), canceled(55)], index });
    expect(streams(await find({ now: hours(2) }))).toEqual(['25', '55']);
    expect(reads).toEqual(['after 10']);
  });
});
