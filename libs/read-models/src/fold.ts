import { COMMAND_NOTED, type RecordedFact } from '#domain/fact';
import { assertDefect } from '#platform';
import type { IndexEntry, Projection } from '#projections';
import type { Document } from './document.js';
import type { ParkedStream } from './parked.js';

/** What some facts of one stream change. */
export interface StreamChange {
  /** Undefined when nothing was applied. */
  readonly document: Document<unknown> | undefined;
  readonly added: readonly IndexEntry[];
  readonly removed: readonly IndexEntry[];
  /** Set when one of the facts could not be applied; those before it were. */
  readonly parked: ParkedStream | undefined;
}

/**
 * Folds facts of one stream, in order, into its document. Facts that the document already has are
 * left out, so that a batch applied twice is applied once. Never throws.
 */
export function foldStream(
  projection: Projection<unknown>,
  id: string,
  before: Document<unknown> | undefined,
  facts: readonly RecordedFact[],
): StreamChange {
  const { document, parked } = applyFacts(projection, before, facts);
  if (document === undefined || document === before) return { ...NO_CHANGE, parked };
  try {
    return { document, ...listChanges(projection, id, before, document), parked };
  } catch (error) {
    const [first] = facts;
    const reason = `listing its document threw ${String(error)}`;
    return { ...NO_CHANGE, parked: first && parkedAt(first, reason) };
  }
}

const NO_CHANGE = { document: undefined, added: [], removed: [] };

function applyFacts(
  projection: Projection<unknown>,
  before: Document<unknown> | undefined,
  facts: readonly RecordedFact[],
): { document: Document<unknown> | undefined; parked: ParkedStream | undefined } {
  let document = before;
  for (const fact of facts) {
    if (document !== undefined && fact.revision <= document.revision) continue;
    const problem = problemOf(projection, document, fact);
    if (problem !== undefined) return { document, parked: parkedAt(fact, problem) };
    try {
      const state = projection.project(document?.state ?? projection.initialState, fact);
      document = { state, revision: fact.revision, position: fact.position };
    } catch (error) {
      return { document, parked: parkedAt(fact, `projecting it threw ${String(error)}`) };
    }
  }
  return { document, parked: undefined };
}

function problemOf(
  projection: Projection<unknown>,
  document: Document<unknown> | undefined,
  fact: RecordedFact,
): string | undefined {
  if (fact.type !== COMMAND_NOTED && !projection.factTypes.includes(fact.type)) {
    return 'its type is unknown to this release';
  }
  const expected = (document?.revision ?? -1) + 1;
  return fact.revision === expected ? undefined : `revision ${expected} is missing before it`;
}

function listChanges(
  projection: Projection<unknown>,
  id: string,
  before: Document<unknown> | undefined,
  after: Document<unknown>,
): Pick<StreamChange, 'added' | 'removed'> {
  const old = before === undefined ? [] : projection.indexes(id, before.state);
  const now = projection.indexes(id, after.state);
  for (const { score } of now) assertDefect(Number.isFinite(score), 'a list needs a finite score');
  return {
    added: now.filter((entry) => !old.some((other) => isSame(entry, other, true))),
    removed: old.filter((entry) => !now.some((other) => isSame(entry, other, false))),
  };
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

function parkedAt(fact: RecordedFact, reason: string): ParkedStream {
  const { streamName, revision, position, type } = fact;
  return { streamName, revision, position, type, reason };
}
