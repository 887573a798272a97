import { COMMAND_RECORDED, type Instant, type RecordedEvent } from '#domain/event';
import { type Money, toMajor } from '#domain/money';
import type { LedgerStore } from '#event-store';
import { table } from './output.js';

/** One event in plain words, as people of operations and support read it. */
export interface TimelineEntry {
  readonly revision: number;
  readonly at: Instant;
  /** Who did it: `app`, `player`, an operator, or a process of ours. */
  readonly by: string;
  readonly type: string;
  readonly what: string;
}

/**
 * The events of a stream in plain words, oldest first; none where there is no such stream.
 *
 * @param describe knows the types of the stream. @throws Fault as `readStream` does.
 */
export async function readTimeline(
  store: LedgerStore,
  streamName: string,
  describe: (event: RecordedEvent) => string,
): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  for await (const event of store.readStream(streamName)) {
    const { revision, type, metadata } = event;
    const what = describe(event);
    entries.push({ revision, at: metadata.occurredAt, by: metadata.actor, type, what });
  }
  return entries;
}

/** The entries as a table. */
export function printTimeline(entries: readonly TimelineEntry[]): string {
  const rows = entries.map(({ revision, at, what, by }) => [String(revision), at, by, what]);
  return table(['#', 'WHEN', 'BY', 'WHAT'], rows);
}

/** An amount as people write it: 9.99 USD. */
export function sayMoney(amount: Money): string {
  return `${toMajor(amount)} ${amount.currency}`;
}

/** An event that belongs in no stream of this kind, such as the note of a repeated command. */
export function describeOther({ type }: RecordedEvent): string {
  return type === COMMAND_RECORDED ? 'a command that changed nothing was noted' : type;
}
