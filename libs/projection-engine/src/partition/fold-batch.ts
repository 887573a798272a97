import { COMMAND_RECORDED, type RecordedEvent } from '#domain/event';
import { assertDefect } from '#platform';
import type { Document, IndexEntry, Projection } from '../define/index.js';
import { encodeDocument } from '../stored/document.js';
import { findDocumentId } from '../stored/document-id.js';
import { NOTHING } from '../stored/checkpoint.js';
import { parkedAt, type ParkedStream } from '../stored/parked-stream.js';

/** The change of a document by the events of a batch. */
export interface DocumentChange {
  readonly id: string;
  readonly document: Document<unknown>;
  /** The document as it is stored. */
  readonly stored: string;
  readonly added: readonly IndexEntry[];
  readonly removed: readonly IndexEntry[];
}

export interface FoldedBatch {
  readonly changes: readonly DocumentChange[];
  /** Streams of which an event could not be applied; those before it were. */
  readonly parked: readonly ParkedStream[];
  /** The names of streams that are parked no more. */
  readonly unparked: readonly string[];
  /** The number of events that are in the documents now, or need not be. */
  readonly applied: number;
}

type Documents = ReadonlyMap<string, Document<unknown>>;

/**
 * Folds events, in the store's order, into their documents. Events that a document already has are left
 * out, so that a batch applied twice is applied once. Never throws.
 *
 * @param documents as they are, by id; none under an id where there is no document yet.
 * @param wereHeldBack the events were parked until now: where streams meet, others have gone on meanwhile.
 */
export function foldBatch(
  projection: Projection<unknown>,
  documents: Documents,
  events: readonly RecordedEvent[],
  wereHeldBack = false,
): FoldedBatch {
  // Where a document cannot be stored or listed, the event to blame is found by trying after each of them.
  for (const triesEach of [false, true]) {
    const fold = new Fold(projection, documents, wereHeldBack, triesEach);
    for (const event of events) fold.take(event);
    try {
      const changes = fold.describeChanges();
      return { changes, parked: fold.parked, unparked: [], applied: fold.applied };
    } catch {
      continue;
    }
  }
  return { changes: [], parked: parkAll(events), unparked: [], applied: 0 };
}

/** A stored document cannot be stored or listed any more: a mistake of this release. */
function parkAll(events: readonly RecordedEvent[]): ParkedStream[] {
  const firsts = new Map<string, RecordedEvent>();
  for (const event of events) {
    if (!firsts.has(event.streamName)) firsts.set(event.streamName, event);
  }
  return [...firsts.values()].map((event) =>
    parkedAt(event, 'storing or listing its document threw'),
  );
}

class Fold {
  readonly parked: ParkedStream[] = [];
  applied = 0;
  readonly #stopped = new Set<string>();
  readonly #now = new Map<string, Document<unknown>>();

  constructor(
    private readonly projection: Projection<unknown>,
    private readonly before: Documents,
    private readonly wereHeldBack: boolean,
    private readonly triesEach = false,
  ) {}

  take(event: RecordedEvent): void {
    if (this.#stopped.has(event.streamName)) return;
    try {
      const problem = this.#apply(event);
      if (problem === undefined) this.applied += 1;
      else this.#park(event, problem);
    } catch (error) {
      this.#park(event, `projecting it threw ${String(error)}`);
    }
  }

  /** @throws the projection's error. */
  describeChanges(): DocumentChange[] {
    return [...this.#now].map(([id, document]) => {
      const old = this.before.get(id);
      const [was, is] = [old === undefined ? [] : this.#list(id, old), this.#list(id, document)];
      const added = is.filter((entry) => !was.some((other) => isSame(entry, other, true)));
      const removed = was.filter((entry) => !is.some((other) => isSame(entry, other, false)));
      const stored = encodeDocument(this.projection, id, document);
      return { id, document, stored, added, removed };
    });
  }

  /** @returns why it cannot be applied, if so. */
  #apply(event: RecordedEvent): string | undefined {
    const use = findUse(this.projection, event);
    if (use === 'unknown') return 'its type is unknown to this release';
    const id = use === 'ignored' ? undefined : findDocumentId(this.projection, event);
    if (id === undefined) return undefined;
    const document = this.#now.get(id) ?? this.before.get(id);
    if (document !== undefined && this.#has(document, event)) return undefined;
    const next = (document?.revision ?? -1) + 1;
    if (this.#isOfOneStream && event.revision !== next)
      return `revision ${next} is missing before it`;
    const known = document === undefined ? this.projection.initialState : document.state;
    const state = use === 'noted' ? known : this.projection.project(known, event);
    const position = latest(document?.position, event.position);
    const after = { state, revision: next, position };
    if (this.triesEach) {
      this.#list(id, after);
      encodeDocument(this.projection, id, after);
    }
    this.#now.set(id, after);
    return undefined;
  }

  get #isOfOneStream(): boolean {
    return this.projection.documents.of === 'stream';
  }

  #has(document: Document<unknown>, event: RecordedEvent): boolean {
    if (this.#isOfOneStream) return event.revision <= document.revision;
    return !this.wereHeldBack && event.position <= (document.position ?? NOTHING);
  }

  #list(id: string, document: Document<unknown>): readonly IndexEntry[] {
    const entries = this.projection.indexes(id, document.state, document.revision);
    for (const { index, score } of entries) {
      assertDefect(Number.isFinite(score), 'a list needs a score');
      assertDefect(
        index.every((part) => typeof part === 'string'),
        'the name of a list needs each of its parts',
      );
    }
    return entries;
  }

  #park(event: RecordedEvent, reason: string): void {
    this.#stopped.add(event.streamName);
    this.parked.push(parkedAt(event, reason));
  }
}

/** `noted`: it moves the document of its stream on, and changes nothing else. */
function findUse(
  { eventTypes, ignoredTypes = [], documents }: Projection<unknown>,
  { type }: RecordedEvent,
): 'applied' | 'ignored' | 'noted' | 'unknown' {
  if (type === COMMAND_RECORDED) return documents.of === 'stream' ? 'noted' : 'ignored';
  if (eventTypes.includes(type)) return 'applied';
  return ignoredTypes.includes(type) ? 'ignored' : 'unknown';
}

/** An entry with another score is the same member at another place: it is added, and not removed. */
function isSame(left: IndexEntry, right: IndexEntry, withScore: boolean): boolean {
  return (
    left.member === right.member &&
    left.index.length === right.index.length &&
    left.index.every((part, at) => part === right.index[at]) &&
    (!withScore || left.score === right.score)
  );
}

function latest(known: string | undefined, position: string): string {
  return known !== undefined && known > position ? known : position;
}
