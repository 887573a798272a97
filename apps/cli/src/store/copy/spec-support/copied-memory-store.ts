import {
  TooLargeToAppend,
  type FollowedItem,
  type LedgerStore,
  RevisionConflict,
  type VerbatimEvent,
} from '#event-store';
import type { CopyPace } from '../copy-pace.js';
import { StoreCopy } from '../store-copy.js';

const IDENTITY = {
  ...{ namespace: 'sl', storeId: 'store-1', partitions: 1 },
  ...{ layoutId: 'store-1.0', before: null },
};

/** Copies all that a store has into another one. */
export async function copyAll(
  source: CopiedMemoryStore,
  target: CopiedMemoryStore,
  pace?: CopyPace,
): Promise<void> {
  const stores = { source: source.ledger, target: target.ledger };
  const observer = { begins: () => undefined, wrote: () => undefined };
  const copy = await StoreCopy.begin(stores, IDENTITY, observer, pace);
  await copy.catchUp(new AbortController().signal);
}

export const toPosition = (n: number) => String(n).padStart(20, '0');

/** As much of a store as a copy needs, and a scavenge of one stream. */
export class CopiedMemoryStore {
  log: VerbatimEvent[] = [];
  /** Whether a run ends before it says how far it is. */
  endsBeforeRecord = false;
  /** The largest append. */
  appendBytes = Infinity;
  /** How many events came with each append that was taken. */
  readonly appends: number[] = [];
  end = 0;
  constructor(readonly known?: unknown) {}

  add(streamName: string, type = 'counter.added.v1', data: unknown = {}): VerbatimEvent {
    const revision = this.#head(streamName) + 1;
    const form = { id: `${streamName}@${revision}`, type, contentType: 'application/json' };
    const bytes = { data: Buffer.from(JSON.stringify(data)), metadata: Buffer.from('{}') };
    return this.#push(streamName, { ...form, ...bytes }, revision);
  }

  /** Truncated events are gone for good. */
  scavenge(streamName: string, before: number): void {
    this.log = this.log.filter((each) => each.streamName !== streamName || each.revision >= before);
  }

  read(streamName: string): VerbatimEvent[] {
    return this.log.filter((each) => each.streamName === streamName);
  }

  ids(streamName: string) {
    return this.read(streamName).map(({ revision, id }) => `${revision} ${id}`);
  }

  /** A store in memory answers at once; the rest of a ledger's store is not asked. */
  get ledger(): LedgerStore {
    const { log, end } = this;
    return {
      namespaces: { find: async () => this.known },
      headPosition: async () => toPosition(end),
      verbatim: {
        async *follow(after: string, regex: string): AsyncGenerator<FollowedItem> {
          for (const event of log.filter(({ position }) => position > after)) {
            if (new RegExp(regex).test(event.streamName)) yield { kind: 'event', event };
          }
          yield { kind: 'caught-up' };
        },
        readStream: async (name: string, read: Read) => this.#readStream(name, read),
        append: async (name: string, expected: number | 'no_stream', events: VerbatimEvent[]) =>
          this.#append(name, expected === 'no_stream' ? -1 : expected, events),
        isTombstoned: async () => false,
      },
    } as unknown as LedgerStore;
  }

  #readStream(name: string, { fromRevision = 0, maxCount, backwards = false }: Read) {
    const events = this.read(name).filter(({ revision }) => revision >= this.#hiddenBefore(name));
    if (backwards) return events.reverse().slice(0, maxCount);
    return events.filter(({ revision }) => revision >= fromRevision).slice(0, maxCount);
  }

  async #append(name: string, expected: number, events: readonly VerbatimEvent[]) {
    // Another one that is sent after it would be there before.
    if (name.startsWith('sl.subscription-00.')) await new Promise(setImmediate);
    if (this.endsBeforeRecord && name.startsWith('subledger_copy-')) throw new Error('killed');
    const bytes = events.reduce((total, { data }) => total + data.length, 0);
    if (bytes > this.appendBytes) throw new TooLargeToAppend(`appending to ${name}: too large`);
    const there = this.read(name).filter(({ revision }) => revision > expected);
    const isRepeated = events.every(({ id }, index) => there[index]?.id === id);
    if (isRepeated) return { revision: expected + events.length, position: '' };
    if (this.#head(name) !== expected) throw new RevisionConflict(name, this.#head(name), false);
    this.appends.push(events.length);
    const pushed = events.map((event, at) => this.#push(name, event, expected + 1 + at));
    const { revision = expected, position = '' } = pushed.at(-1) ?? {};
    return { revision, position };
  }

  #push(streamName: string, event: Form, revision: number): VerbatimEvent {
    const position = toPosition((this.end += 1));
    const pushed = { ...event, streamName, revision, position, createdAtMs: 0 };
    this.log.push(pushed);
    return pushed;
  }

  #hiddenBefore(streamName: string): number {
    const { data = '{}' } = this.read(`$$${streamName}`).at(-1) ?? {};
    return (JSON.parse(String(data)) as { readonly $tb?: number }).$tb ?? 0;
  }

  #head(streamName: string): number {
    return this.read(streamName).at(-1)?.revision ?? -1;
  }
}
type Form = Omit<VerbatimEvent, 'streamName' | 'revision' | 'position' | 'createdAtMs'>;
interface Read {
  readonly fromRevision?: number;
  readonly maxCount: number;
  readonly backwards?: boolean;
}
