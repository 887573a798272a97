import { describe, expect, it } from 'vitest';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { IncomingAnswers } from '../connection/connection-call.js';
import { createCodec } from '../../streams/codec.js';
import type { EventBatch } from '../../streams/event-store.js';
import { followAll } from './feed.js';
import { LongCalls } from '../long-calls.js';
import { START } from '../../streams/position.js';
import type { ReadAnswer } from '../read/read-answer.js';

const at = (position: number) => String(position).padStart(20, '0');
const METADATA = { appId: 'app_1', occurredAt: '2026-01-31T10:00:00.000Z' };

/** The store's side of a subscription; the test sends the answers in its time. */
class FakeSubscription implements IncomingAnswers<ReadAnswer> {
  hasEnded = false;
  error: Error | undefined;
  onChange: () => void = () => undefined;
  isLeft = false;
  #come: ReadAnswer[] = [{ kind: 'confirmed' }];

  /** @param fromPosition where it begins; nothing for the start. */
  constructor(readonly fromPosition: string | undefined) {}

  event(position: number): void {
    const stored = { id: 'i', type: 'counter.added.v1', contentType: 'application/json' };
    const place = { streamName: 's-1', revision: 0, position: at(position), createdAtMs: 0 };
    const metadata = Buffer.from(JSON.stringify(METADATA));
    const event = { ...stored, ...place, data: Buffer.from('{}'), metadata };
    this.#arrive({ kind: 'event', event });
  }

  checkpoint(position: number): void {
    this.#arrive({ kind: 'position', position: at(position) });
  }

  caughtUp(): void {
    this.#arrive({ kind: 'caught-up' });
  }

  end(error?: Error): void {
    if (error) this.error = error;
    else this.hasEnded = true;
    this.onChange();
  }

  take(): ReadAnswer[] {
    const come = this.#come;
    this.#come = [];
    return come;
  }

  leave(hasMore: boolean): void {
    this.isLeft = hasMore;
  }

  #arrive(answer: ReadAnswer): void {
    this.#come.push(answer);
    this.onChange();
  }
}

function follow(batchSize: number, tellsEveryPosition = true) {
  const subscriptions: FakeSubscription[] = [];
  const controller = new AbortController();
  const open = (request: Buffer) => {
    const subscription = new FakeSubscription(readStart(request));
    subscriptions.push(subscription);
    return Promise.resolve(subscription);
  };
  let caughtUp = 0;
  const batches = followAll(open, createCodec(), {
    after: START,
    regex: '^s-',
    longCalls: new LongCalls(),
    signal: controller.signal,
    batchSize,
    tellsEveryPosition,
    onCaughtUp: () => (caughtUp += 1),
  });
  const next = async () => {
    const { value } = await batches.next();
    return value === undefined ? undefined : summary(value);
  };
  return { subscriptions, controller, next, caughtUp: () => caughtUp };
}

function readStart(request: Buffer): string | undefined {
  const all = streams.ReadReq.deserializeBinary(request).getOptions()?.getAll();
  return all?.getPosition()?.getCommitPosition();
}

function summary({ events, upTo }: EventBatch) {
  return { events: events.map(({ position }) => Number(position)), upTo: Number(upTo) };
}

/** Lets the written answers arrive in the buffer. */
const arrive = () => new Promise((resolve) => setImmediate(resolve));

describe('a feed', () => {
  it('believes a checkpoint only when all that was announced before it is handled', async () => {
    const { subscriptions, next } = follow(4);
    const first = next();
    const [subscription] = subscriptions;
    await arrive();
    for (let position = 1; position <= 10; position += 1) subscription!.event(position);
    await arrive();
    subscription!.checkpoint(20);
    expect(await first).toEqual({ events: [1, 2, 3, 4], upTo: 4 });
    expect(await next()).toEqual({ events: [5, 6, 7, 8], upTo: 8 });
    expect(await next()).toEqual({ events: [9, 10], upTo: 20 });
  });

  it('waits for nothing more once it is live', async () => {
    const { subscriptions, next } = follow(10, false);
    const live = next();
    const [subscription] = subscriptions;
    const aFewTurns = async () => {
      for (let turn = 0; turn < 3; turn += 1) await arrive();
    };
    await aFewTurns();
    subscription!.caughtUp();
    await aFewTurns();
    subscription!.event(1);
    await aFewTurns();
    subscription!.event(2);
    expect(await live).toEqual({ events: [1], upTo: 1 });
  });

  it('takes a checkpoint that events of the same batch have overtaken for less than them', async () => {
    const { subscriptions, next } = follow(10);
    const first = next();
    await arrive();
    subscriptions[0]!.event(1);
    await arrive();
    subscriptions[0]!.checkpoint(2);
    subscriptions[0]!.event(3);
    const batches = [await first];
    if (batches[0]?.upTo !== 3) batches.push(await next());
    expect(batches.at(-1)?.upTo).toBe(3);
  });

  it('is caught up when what came before is handled, and goes on live from there', async () => {
    const { subscriptions, next, caughtUp } = follow(1);
    const first = next();
    await arrive();
    subscriptions[0]!.event(1);
    subscriptions[0]!.event(2);
    await arrive();
    subscriptions[0]!.checkpoint(5);
    subscriptions[0]!.caughtUp();
    expect(await first).toEqual({ events: [1], upTo: 1 });
    expect(caughtUp()).toBe(0);
    expect(await next()).toEqual({ events: [2], upTo: 5 });
    expect(caughtUp()).toBe(0);
    const live = next();
    await arrive();
    await arrive();
    expect(caughtUp()).toBe(1);
    expect(subscriptions[1]!.fromPosition).toBe('5');
    subscriptions[1]!.event(6);
    expect(await live).toEqual({ events: [6], upTo: 6 });
    expect(subscriptions[0]!.isLeft).toBe(true);
  });

  it('throws what ends its subscription, also when it ends politely', async () => {
    const failing = follow(4);
    const failed = failing.next();
    await arrive();
    failing.subscriptions[0]!.end(new Error('the line is cut'));
    await expect(failed).rejects.toMatchObject({ code: 'unavailable', retryable: true });

    const ending = follow(4);
    const ended = ending.next();
    await arrive();
    ending.subscriptions[0]!.end();
    await expect(ended).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('ends when its signal is aborted', async () => {
    const { controller, next } = follow(4);
    const first = next();
    await arrive();
    controller.abort();
    expect(await first).toBeUndefined();
  });

  it('stays on its first subscription where not every position is asked for', async () => {
    const { subscriptions, next, caughtUp } = follow(10, false);
    const first = next();
    await arrive();
    subscriptions[0]!.event(1);
    expect(await first).toEqual({ events: [1], upTo: 1 });
    const second = next();
    subscriptions[0]!.caughtUp();
    await arrive();
    subscriptions[0]!.event(2);
    expect(await second).toEqual({ events: [2], upTo: 2 });
    const third = next();
    await arrive();
    await arrive();
    subscriptions[0]!.event(3);
    expect(await third).toEqual({ events: [3], upTo: 3 });
    expect(caughtUp()).toBe(1);
    expect(subscriptions).toHaveLength(1);
  });
});
