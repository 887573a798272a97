import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import type { CommandExecutor, EventStore } from '#event-store';
import type { ReadModels } from '#projection-engine';
import type { TimeRange } from '#projection-engine/define';
import { inFlightMember, PROCESS } from '#worker-state';
import type { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import type { InFlightSet } from '../redis/in-flight-set.js';
import { SETTLING_AT_GATEWAY_MS } from '../limits.js';
import { createEvent, createLease, silent } from '../spec-support/fakes.js';
import { LostRefunds } from './lost-refunds.js';
import { OpenPayments } from './lost-sweep.js';

const NOW_MS = Date.parse('2026-02-01T00:00:00.000Z');
const at = (msAgo: number) => new Date(NOW_MS - msAgo).toISOString();
const [LONG_AGO, RECENTLY] = [at(SETTLING_AT_GATEWAY_MS), at(SETTLING_AT_GATEWAY_MS - 1)];

/** A refund that was asked for by the event of that number. */
const asked = (number: number, refundId: string, requestedAt = LONG_AGO): RecordedEvent => ({
  ...{ ...createEvent('x', number), type: 'payment.refund_requested.v1' },
  ...{ streamName: 'payment-pay_1', revision: number },
  data: { refundId, requestedAt },
});
const toMember = (event: RecordedEvent) => inFlightMember(event, PROCESS);

const first = asked(2, 'ref_1');
const second = asked(3, 'ref_2');

interface Known {
  readonly events?: readonly RecordedEvent[];
  readonly inFlight?: readonly RecordedEvent[];
  /** By the store. */
  readonly open?: readonly string[];
  /** How far the worker is. */
  readonly upTo?: RecordedEvent;
}

/** The refunds that are begun again where their payment is listed. */
async function begunAgain({ events = [first, second], inFlight = [], ...known }: Known) {
  const { open = ['ref_1', 'ref_2', 'ref_3'], upTo = asked(9, '') } = known;
  const begun: string[] = [];
  const ranges: TimeRange[] = [];
  const refunding = async (range: TimeRange) => {
    ranges.push(range);
    return [{ member: 'pay_1', score: 0 }];
  };
  const store: Pick<EventStore, 'readStream'> = {
    async *readStream() {
      yield createEvent('x', 1);
      yield* events;
    },
  };
  const set: Partial<InFlightSet> = {
    has: async (member) => inFlight.map(toMember).includes(member),
    beginAgain: async ({ member, dueAtMs }) => void begun.push(`${member} due ${dueAtMs}`),
  };
  const state = { status: 'SUCCEEDED', openRefunds: open.map((refundId) => ({ refundId })) };
  const refunds = new LostRefunds(
    new OpenPayments({ ask: () => ({ refunding }) } as unknown as ReadModels, createLease()),
    store,
    { load: async () => ({ state }) } as unknown as CommandExecutor,
    set as InFlightSet,
    { position: upTo.position } as FeedCheckpoint,
    silent,
  );
  await refunds.look(NOW_MS);
  expect(ranges).toMatchObject([{ partition: 0, until: LONG_AGO, offset: 0 }]);
  return begun;
}

const due = (event: RecordedEvent) => `${toMember(event)} due 0`;

/** rules/payments 4 */
describe('refunds without an outcome', () => {
  it('are begun again, each by the event that asked for it, when they are in flight no more', async () => {
    expect(await begunAgain({})).toEqual([due(first), due(second)]);
    expect(await begunAgain({ inFlight: [first] })).toEqual([due(second)]);
    expect(await begunAgain({ inFlight: [first, second] })).toEqual([]);
  });

  it('are left alone where the store has an outcome that the read model does not know yet', async () => {
    expect(await begunAgain({ open: ['ref_2'] })).toEqual([due(second)]);
  });

  it('are left alone for an hour', async () => {
    const late = asked(4, 'ref_3', RECENTLY);
    expect(await begunAgain({ events: [first, late] })).toEqual([due(first)]);
  });

  it('are left alone where the worker has not come to what asked for them', async () => {
    expect(await begunAgain({ upTo: first })).toEqual([due(first)]);
  });
});
