import type { Instant, Position } from '#domain/event';
import type { BackupRecord, ParkedEntry } from './backup.js';
import type { ExhaustedDelivery } from './exhausted.js';
import { RECORD_BYTES, weigh } from './weight.js';

/**
 * What changed since the record before, one line each. Scripts in Redis write these lines in the same act
 * as the change itself: `+member`, `-member`, `x{exhausted delivery}` in place of the latter, `@time member`,
 * `p{parked stream}` and `u` with its name, `c<position> <endpoint>` where an endpoint lags behind from there, with
 * no position where it lags no more.
 */
export const change = {
  askAgain: (member: string, at: Instant) => `@${at} ${member}`,
  exhausted: (delivery: ExhaustedDelivery) => `x${JSON.stringify(delivery)}`,
  parked: (entry: ParkedEntry) => `p${JSON.stringify(entry)}`,
  unparked: (streamName: string) => `u${streamName}`,
  cursor: (endpointId: string, after: Position | null) => `c${after ?? ''} ${endpointId}`,
};

/** The part of a record that lines of changes make. */
export type Changes = Omit<BackupRecord, 'scope' | 'pagesBefore' | 'position'>;

interface WorkChange {
  /** It began within these lines, so the record has to name it. */
  readonly isNew: boolean;
  readonly isInFlight: boolean;
  readonly askAgainAt: Instant | undefined;
}

/** Which ends a record names. */
export type Ends = 'all' | 'of earlier records';

/**
 * As many of the first lines as one record may hold. What they come to is weighed, and not the lines: at a full load
 * nearly all of them are of work that has begun and ended, which weighs nothing (decision 0165).
 *
 * @returns what they come to, and how many they are: one at least.
 */
export function takeForRecord(lines: readonly string[], ends: Ends): [Changes, count: number] {
  for (let count = lines.length; ; count = Math.ceil(count / 2)) {
    const changes = compactChanges(lines.slice(0, count), ends);
    if (count <= 1 || weigh(changes) <= RECORD_BYTES) return [changes, count];
  }
}

/**
 * What lines come to, given in the order in which they were written.
 *
 * @param ends which ends are named. Most work begins and ends within the lines of one record, and nothing
 *   before names it: such ends would be nearly all of a record. Where a whole was read beside these lines,
 *   the whole may name it, and every end counts (decision 0086).
 */
export function compactChanges(lines: readonly string[], ends: Ends = 'all'): Changes {
  const work = new Map<string, WorkChange>();
  const parked = new Map<string, ParkedEntry | null>();
  const exhausted: ExhaustedDelivery[] = [];
  const cursors = new Map<string, Position | null>();
  for (const line of lines) {
    const text = line.slice(1);
    const space = text.indexOf(' ');
    switch (line.charAt(0)) {
      case '+':
      case '-':
        work.set(text, changeWork(work.get(text), line.startsWith('+')));
        break;
      case 'x': {
        // Written by `change.exhausted` alone.
        const delivery = JSON.parse(text) as ExhaustedDelivery;
        work.set(delivery.member, changeWork(work.get(delivery.member), false));
        exhausted.push(delivery);
        break;
      }
      case '@':
        work.set(text.slice(space + 1), {
          ...(work.get(text.slice(space + 1)) ?? { isNew: false, isInFlight: true }),
          askAgainAt: text.slice(0, space),
        });
        break;
      case 'p': {
        // Written by `change.parked` alone.
        const entry = JSON.parse(text) as ParkedEntry;
        parked.set(entry.streamName, entry);
        break;
      }
      case 'u':
        parked.set(text, null);
        break;
      case 'c':
        cursors.set(text.slice(space + 1), text.slice(0, space) || null);
        break;
    }
  }
  return {
    ...toChanges(work, parked, ends === 'all'),
    ...{ exhausted, cursors: [...cursors].map(([endpointId, after]) => ({ endpointId, after })) },
  };
}

function changeWork(before: WorkChange | undefined, isInFlight: boolean): WorkChange {
  return { isNew: before?.isNew ?? isInFlight, isInFlight, askAgainAt: undefined };
}

function toChanges(
  work: ReadonlyMap<string, WorkChange>,
  parked: ReadonlyMap<string, ParkedEntry | null>,
  namesAllEnds: boolean,
): Omit<Changes, 'exhausted' | 'cursors'> {
  const all = [...work];
  return {
    begun: all
      .filter(([, { isNew, isInFlight, askAgainAt }]) => isInFlight && (isNew || !askAgainAt))
      .map(([member]) => member),
    ended: all
      .filter(([, { isNew, isInFlight }]) => !isInFlight && (namesAllEnds || !isNew))
      .map(([member]) => member),
    askAgain: all.flatMap(([member, { isInFlight, askAgainAt }]) =>
      isInFlight && askAgainAt !== undefined ? [{ member, at: askAgainAt }] : [],
    ),
    parked: [...parked.values()].filter((entry) => entry !== null),
    unparked: [...parked].filter(([, entry]) => entry === null).map(([streamName]) => streamName),
  };
}
