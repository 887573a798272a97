import type { Position } from '#domain/event';
import type { VerbatimEvent } from '#event-store';
import { hashLeaf, leafText } from '#seal';
import { hasLeaf, ledgerPattern } from './leaf-table.js';
import type { SealStore } from './seal-reader.js';

/** An event of the log, as its leaf has it. */
export interface LogLeaf {
  /** The stored name without the namespace. */
  readonly stream: string;
  readonly eventId: string;
  readonly type: string;
  readonly revision: number;
  readonly position: Position;
  /** The entry of the leaf. */
  readonly text: string;
  readonly hash: Buffer;
  /** As it is stored now. */
  readonly event: VerbatimEvent;
}

/** All events behind a position that have leaves, in the order of the log, up to its present end. @throws Fault. */
export async function* readLogLeaves(
  { names, verbatim }: SealStore,
  after: Position,
  pattern = ledgerPattern(names.namespace),
): AsyncGenerator<LogLeaf> {
  const end = new AbortController();
  try {
    for await (const item of verbatim.follow(after, pattern, end.signal)) {
      if (item.kind === 'caught-up') return;
      if (item.kind !== 'event') continue;
      if (eventHasLeaf(item.event, names.namespace)) yield toLogLeaf(item.event, names.namespace);
    }
  } finally {
    end.abort();
  }
}

/** Whether an event is of a stream whose events have leaves. */
export function eventHasLeaf(event: VerbatimEvent, namespace: string): boolean {
  return hasLeaf(nameWithout(event, namespace));
}

/** The leaf of an event as it is stored now. */
export function toLogLeaf(event: VerbatimEvent, namespace: string): LogLeaf {
  const { id: eventId, type, revision, position, data, metadata } = event;
  const stream = nameWithout(event, namespace);
  const text = leafText({ streamName: stream, eventId, type, data, metadata });
  return { stream, eventId, type, revision, position, text, hash: hashLeaf(text), event };
}

/** The stored name of its stream without the namespace. */
function nameWithout({ streamName }: VerbatimEvent, namespace: string): string {
  return streamName.slice(namespace.length + 1);
}
