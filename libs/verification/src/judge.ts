import type { Projection } from '#projection-engine/define';
import {
  canonicalJson,
  compareEntries,
  compareStates,
  type FieldDifference,
  readScores,
} from './compare.js';
import type { Snapshot } from './generation.js';
import type { Replay } from './replay.js';
import type { ReadModelDifference, ReadModelDifferenceKind } from './report.js';
import { readStoredRevision, readStoredState } from './stored-state.js';

export type Verdict = Pick<ReadModelDifference, 'kind' | 'revision' | keyof FieldDifference>;

/** The revision at which a document is compared: its own, or the last one that it ought to have. */
export function findWanted({ text, parkedAt }: Pick<Snapshot, 'text' | 'parkedAt'>): number {
  const own = text === undefined ? undefined : readStoredRevision(text);
  return own ?? (parkedAt === undefined ? Infinity : parkedAt - 1);
}

/** The differences between a document with its entries and the replay of its events up to the same checkpoint. */
export function judge(
  projection: Projection<unknown>,
  id: string,
  snapshot: Omit<Snapshot, 'position'>,
  replay: Replay,
): Verdict[] {
  const { text, entries } = snapshot;
  const expected = readScores(replay.rendered?.entries ?? []);
  const stored = text === undefined ? undefined : readStoredState(projection, id, text);
  const revision = stored?.revision ?? -1;
  return [
    ...judgeDocument(projection, id, snapshot, replay),
    ...verdict('list entry', compareEntries(expected, readScores(entries))),
  ].map((each) => ({ ...each, revision }));
}

type RevisionlessVerdict = Omit<Verdict, 'revision'>;

function judgeDocument(
  projection: Projection<unknown>,
  id: string,
  { text, parkedAt = Infinity }: Omit<Snapshot, 'position'>,
  replay: Replay,
): RevisionlessVerdict[] {
  const { rendered, last } = replay;
  if (text === undefined) {
    const state = canonicalJson(rendered?.state);
    return state === undefined ? [] : verdict('missing', [whole(state, undefined)]);
  }
  if (last === -1) return verdict('unexpected', [whole(undefined, text)]);
  const stored = readStoredState(projection, id, text);
  const ofRevision =
    stored === undefined
      ? []
      : compareStates(Math.min(last, parkedAt - 1), stored.revision, 'revision');
  return verdict('document', [...ofRevision, ...compareDocument(projection, id, text, replay)]);
}

function verdict(
  kind: ReadModelDifferenceKind,
  differences: readonly FieldDifference[],
): RevisionlessVerdict[] {
  return differences.map((difference) => ({ kind, ...difference }));
}

/** The fields in which a stored document differs from the replay at its revision. */
export function compareDocument(
  projection: Projection<unknown>,
  id: string,
  text: string,
  { rendered, position }: Pick<Replay, 'rendered' | 'position'>,
): FieldDifference[] {
  const stored = readStoredState(projection, id, text);
  if (stored === undefined) return [whole(canonicalJson(rendered?.state), text)];
  // The events do not lead to its revision, of which the caller says so.
  if (rendered === undefined) return [];
  const placed =
    stored.position === undefined ? [] : compareStates(position, stored.position, 'position');
  return [...placed, ...compareStates(rendered.state, stored.state)];
}

function whole(expected: string | undefined, found: string | undefined): FieldDifference {
  return { field: '', expected, found };
}
