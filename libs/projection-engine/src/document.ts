import { COMMAND_RECORDED, type Position, type RecordedEvent } from '#domain/event';
import { assertDefect } from '#platform';
import type { IndexEntry, Projection } from '#projections';
import { parkedAt, type ParkedStream } from './parked-streams.js';

/** A folded stream: where it stands is its ETag. */
export interface Document<State> {
  readonly state: State;
  /** The stream's revision, of the last event folded. */
  readonly revision: number;
  /** That event's place in the store. */
  readonly position: Position;
}

/** Revision and position stand before the JSON at a fixed width, so that Lua compares them as text. */
const WIDTH = 20;

/** As it is stored. */
export function encodeDocument({ revision, position, state }: Document<unknown>): string {
  return String(revision).padStart(WIDTH, '0') + position + JSON.stringify(state);
}

/** The reverse of `encodeDocument`. */
export function decodeDocument<State>(stored: string): Document<State> {
  return {
    revision: Number(stored.slice(0, WIDTH)),
    position: stored.slice(WIDTH, 2 * WIDTH),
    // The key names the projection, and the namespace its version: what was put there is its state.
    state: JSON.parse(stored.slice(2 * WIDTH)) as State,
  };
}

/** What some events of one stream change. */
export interface StreamChange {
  /** Undefined when nothing was applied. */
  readonly document: Document<unknown> | undefined;
  readonly added: readonly IndexEntry[];
  readonly removed: readonly IndexEntry[];
  /** Set when one of the events could not be applied; those before it were. */
  readonly parked: ParkedStream | undefined;
}

/**
 * Folds events of one stream, in order, into its document. Events that the document already has are
 * left out, so that a batch applied twice is applied once. Never throws.
 */
export function foldStream(
  projection: Projection<unknown>,
  id: string,
  before: Document<unknown> | undefined,
  events: readonly RecordedEvent[],
): StreamChange {
  const { document, parked } = applyEvents(projection, before, events);
  if (document === undefined || document === before) return { ...NO_CHANGE, parked };
  try {
    return { document, ...listChanges(projection, id, before, document), parked };
  } catch (error) {
    const [first] = events;
    const reason = `listing its document threw ${String(error)}`;
    return { ...NO_CHANGE, parked: first && parkedAt(first, reason) };
  }
}

const NO_CHANGE = { document: undefined, added: [], removed: [] };

function applyEvents(
  projection: Projection<unknown>,
  before: Document<unknown> | undefined,
  events: readonly RecordedEvent[],
): { document: Document<unknown> | undefined; parked: ParkedStream | undefined } {
  let document = before;
  for (const event of events) {
    if (document !== undefined && event.revision <= document.revision) continue;
    const problem = findProblem(projection, document, event);
    if (problem !== undefined) return { document, parked: parkedAt(event, problem) };
    try {
      const known = document === undefined ? projection.initialState : document.state;
      const state = event.type === COMMAND_RECORDED ? known : projection.project(known, event);
      document = { state, revision: event.revision, position: event.position };
    } catch (error) {
      return { document, parked: parkedAt(event, `projecting it threw ${String(error)}`) };
    }
  }
  return { document, parked: undefined };
}

function findProblem(
  projection: Projection<unknown>,
  document: Document<unknown> | undefined,
  event: RecordedEvent,
): string | undefined {
  if (event.type !== COMMAND_RECORDED && !projection.eventTypes.includes(event.type)) {
    return 'its type is unknown to this release';
  }
  const expected = (document?.revision ?? -1) + 1;
  return event.revision === expected ? undefined : `revision ${expected} is missing before it`;
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
