import { type LogLeaf, readLogLeaves, SealReader, type StoredCheckpoint } from '#sealing';
import type { AuditedStore } from './audited-store.js';
import { type ErasedLeaves, Erasures } from './erasures.js';
import { EventPass } from './event-pass.js';
import { judgeUnmatched, reportMissing } from './judge.js';
import { LeafMatcher } from './leaf-matcher.js';
import { LeafSource } from './leaf-source.js';
import type { SealFindings } from './seal-findings.js';

/** The place from which on events and leaves are compared. */
export interface CompareFrom {
  /** All events of the leaves are behind it. */
  readonly after: LogLeaf['position'];
  /** The first tile whose leaves may be of those events. */
  readonly fromTile: number;
  /** The leaves before it may be without events: they are not looked at. */
  readonly fromLeaf: number;
}

/** The whole log. */
const FROM_BEGINNING: CompareFrom = { after: '', fromTile: 0, fromLeaf: 0 };

/** The events of a log beside the leaves of a tree. */
export interface ComparedLog {
  readonly events: number;
  /** Events behind the last leaf. */
  readonly unattested: number;
  /** Leaves whose events an erasure took away, by the players' streams. */
  readonly erased: readonly ErasedLeaves[];
}

/**
 * Compares events with leaves: each leaf has its event and each event its leaf, in order.
 *
 * @param onEvent called with each event, the number of its leaf, and how many events there were; awaited where it returns
 *   a promise.
 * @throws Fault of the store.
 */
export async function compareLog(
  store: AuditedStore,
  checkpoint: StoredCheckpoint,
  findings: SealFindings,
  onEvent: (event: LogLeaf, leaf: number | undefined, events: number) => Promise<void> | undefined,
  { after, fromTile, fromLeaf } = FROM_BEGINNING,
): Promise<ComparedLog> {
  const matcher = new LeafMatcher(new LeafSource(new SealReader(store), checkpoint, fromTile));
  const copiedUpTo = (await store.namespaces.findMoveIn()) ?? '';
  const pass = new EventPass(matcher, findings, copiedUpTo);
  const erasures = new Erasures();
  for await (const event of readLogLeaves(store, after)) {
    const leaf = await pass.take(event);
    erasures.note(event, leaf, copiedUpTo);
    const done = onEvent(event, leaf, pass.events);
    if (done !== undefined) await done;
  }
  const { unmatched, lastLeaf, events } = pass;
  const missing = matcher.listMissing(checkpoint.size).filter(({ to }) => to > fromLeaf);
  const unpaired = { missing, unmatched, lastLeaf, checkpoint };
  const judged = judgeUnmatched(unpaired, findings);
  const { erased, unexplained } = await erasures.judge(store, judged.missing);
  reportMissing(unexplained, unpaired, findings);
  return { events, unattested: judged.unattested, erased };
}
