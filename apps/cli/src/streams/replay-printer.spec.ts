import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RecordedEvent } from '#domain/event';
import { testClockAggregate } from '#domain/test-clock';
import { type AsOf, parseReplayEnd } from './as-of.js';
import { DocumentComparison } from './document-comparison.js';
import { ReplayPrinter } from './replay-printer.js';
import { eventAt } from '../../../../libs/domain/src/event/spec-support/recorded-event.js';

const STREAM = 'test_clock-app_1';
const printed: string[] = [];

beforeEach(() => {
  printed.length = 0;
  vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
});
afterEach(() => void vi.restoreAllMocks());

/** A clock that is sent on, event by event. */
function clockEvents(first: number, count: number): RecordedEvent[] {
  return Array.from({ length: count }, (_, at) =>
    eventAt(first + at, {
      type: 'test_clock.advance_requested.v1',
      streamName: STREAM,
      data: { to: `2027-0${at + 1}-01T00:00:00.000Z` },
    }),
  );
}

function replay(
  events: readonly RecordedEvent[],
  { asOf, comparisons = [] }: { asOf?: AsOf; comparisons?: DocumentComparison[] } = {},
  onRead: (event: RecordedEvent) => void = () => undefined,
): Promise<void> {
  const store = {
    async *readStream() {
      for (const event of events) {
        await Promise.resolve();
        onRead(event);
        yield event;
      }
    },
  };
  const about = { streamName: STREAM, aggregate: testClockAggregate, asOf, comparisons };
  return new ReplayPrinter(store, about, false).print();
}

describe('a replay', () => {
  it('prints an event before it reads the next one, however long the stream is', async () => {
    const printedBefore: number[] = [];
    await replay(clockEvents(0, 4), {}, () => printedBefore.push(printed.length));
    expect(printedBefore).toEqual([0, 1, 2, 3]);
  });

  it('reads no further than it is asked', async () => {
    const read: number[] = [];
    await replay(clockEvents(0, 4), { asOf: parseReplayEnd('1') }, ({ revision }) =>
      read.push(revision),
    );
    expect(read).toEqual([0, 1, 2]);
    expect(printed.at(-2)).toMatch(/^FIELD +AFTER REVISION 1\n/);
  });

  it('goes on to the revision of a document that is further, and prints nothing of it', async () => {
    const shown = { kind: 'found', revision: 3, state: { count: 4 } } as const;
    const comparison = new DocumentComparison('clocks', shown, {
      initial: 0,
      fold: (before) => Number(before) + 1,
      render: (_, count) => ({ state: { count }, entries: [] }),
    });
    await replay(clockEvents(0, 5), { asOf: parseReplayEnd('1'), comparisons: [comparison] });
    expect(comparison.end()).toEqual({ kind: 'compared', differences: [] });
    expect(printed.filter((text) => text.includes('revision 2'))).toEqual([]);
  });

  it('says where the first events of a stream were cut off', async () => {
    await replay(clockEvents(2, 1));
    expect(printed[0]).toMatch(/^The events before revision 2 were cut off/);
  });

  it('names the beginning of a stream that begins after the instant', async () => {
    const end = parseReplayEnd('2000-01-01T00:00:00Z');
    await expect(replay(clockEvents(0, 1), { asOf: end })).rejects.toThrow(
      `${STREAM} begins at 2027-01-01 10:00:00Z: there is no event up to the instant of --as-of.`,
    );
  });
});
