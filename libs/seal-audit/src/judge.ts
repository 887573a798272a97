import type { LogLeaf, StoredCheckpoint } from '#sealing';
import type { Unmatched } from './event-pass.js';
import type { SealFindings } from './seal-findings.js';
import type { LeafRun } from './leaf-matcher.js';

/** Events and leaves that have no counterpart. */
export interface Unpaired {
  readonly missing: readonly LeafRun[];
  /** By the greatest number of a leaf before them. */
  readonly unmatched: ReadonlyMap<number, Unmatched>;
  /** The greatest number of a leaf whose event came. */
  readonly lastLeaf: number;
  readonly checkpoint: StoredCheckpoint;
}

/**
 * Names events that were altered or inserted: an event without a leaf stands for a leaf without an event where both are
 * in the same place. Behind the last sealed event they are not attested.
 *
 * @returns the leaves that are left, and the number of events that are not attested.
 */
export function judgeUnmatched(unpaired: Unpaired, findings: SealFindings) {
  const missing: LeafRun[] = [];
  for (const run of unpaired.missing) {
    const place = run.from - 1;
    const altered = judgePlace(place, run.to - run.from, unpaired, findings);
    if (run.from + altered < run.to) missing.push({ from: run.from + altered, to: run.to });
  }
  const places = new Set(unpaired.missing.map(({ from }) => from - 1));
  for (const place of unpaired.unmatched.keys()) {
    if (!places.has(place)) judgePlace(place, 0, unpaired, findings);
  }
  return { missing, unattested: countUnattested(unpaired) };
}

/** Names leaves whose events are gone without an erasure. */
export function reportMissing(
  runs: readonly LeafRun[],
  { checkpoint, lastLeaf }: Pick<Unpaired, 'checkpoint' | 'lastLeaf'>,
  findings: SealFindings,
): void {
  for (const { from, to } of runs) {
    const isEnd = to === checkpoint.size && from > lastLeaf;
    const { stream, eventId } = checkpoint.last;
    const leaves =
      to - from === 1 ? `The leaf ${from} has` : `The leaves ${from} to ${to - 1} have`;
    const end = isEnd
      ? ` The log ends before ${to - from === 1 ? 'it' : 'them'}: its last sealed event was ${eventId} of ${stream}.`
      : '';
    const text = `${leaves} no event, and no erasure of a player accounts for it.${end}`;
    findings.add({ kind: 'missing', text, leaf: from }, to - from);
  }
}

/** @returns the number of leaves whose events were altered. */
function judgePlace(
  place: number,
  leaves: number,
  unpaired: Unpaired,
  findings: SealFindings,
): number {
  const unmatched = unpaired.unmatched.get(place);
  if (unmatched === undefined) return 0;
  const count = countAttested(place, unmatched, unpaired);
  const altered = Math.min(leaves, count);
  for (const [at, event] of unmatched.first.slice(0, count).entries()) {
    if (at < altered) reportAltered(event, place + 1 + at, findings);
    else reportInserted(event, place, findings);
  }
  const unnamed = count - Math.min(count, unmatched.first.length);
  const last = unmatched.first.at(-1);
  if (unnamed > 0 && last !== undefined) reportInserted(last, place, findings, unnamed);
  return altered;
}

/** Of the events behind the last found leaf, those up to the last sealed one: all others may be new. */
function countAttested(place: number, { count, first }: Unmatched, unpaired: Unpaired): number {
  if (place !== unpaired.lastLeaf) return count;
  const { eventId } = unpaired.checkpoint.last;
  return first.findIndex((event) => event.eventId === eventId) + 1;
}

function countUnattested(unpaired: Unpaired): number {
  const last = unpaired.unmatched.get(unpaired.lastLeaf);
  if (last === undefined) return 0;
  return last.count - countAttested(unpaired.lastLeaf, last, unpaired);
}

function reportAltered(
  { stream, eventId, type }: LogLeaf,
  leaf: number,
  findings: SealFindings,
): void {
  const text =
    `The event ${eventId} (${type}) of ${stream} is not as it was sealed: it stands in the place of leaf ${leaf}, ` +
    "and its data, its metadata, its type, its id or its stream's name is another one.";
  findings.add({ kind: 'altered', text, leaf, stream, eventId });
}

function reportInserted(
  { stream, eventId, type }: LogLeaf,
  place: number,
  findings: SealFindings,
  count = 1,
): void {
  const text =
    `The event ${eventId} (${type}) of ${stream} has no leaf: it was put in ` +
    (place < 0 ? 'before leaf 0.' : `behind the event of leaf ${place}.`);
  findings.add({ kind: 'inserted', text, stream, eventId }, count);
}
