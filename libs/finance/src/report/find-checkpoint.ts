import type { LedgerStore } from '#event-store';
import { type FoundCheckpoint, SealReader } from '#sealing';
import { FinanceRefusal } from '../finance-refusal.js';
import type { ReportEnd } from './question.js';

/** Makes a checkpoint of all that is stored; undefined where nothing is. */
export type MakeCheckpoint = () => Promise<FoundCheckpoint | undefined>;

/** The checkpoint that a report counts to. @throws FinanceRefusal where there is none; Fault. */
export async function findCheckpoint(
  store: LedgerStore,
  end: ReportEnd,
  seal: MakeCheckpoint,
): Promise<FoundCheckpoint> {
  const found = await find(store, end, seal);
  if (found !== undefined) return found;
  const last = await new SealReader(store).findLast();
  if (last === undefined) {
    const message = 'Nothing is sealed yet: a bookkeeper seals, or --as-of now does.';
    throw new FinanceRefusal('NOTHING_SEALED', message);
  }
  const { size } = last.checkpoint;
  const wanted = typeof end === 'number' ? `of size ${end}` : 'of that moment or before';
  const message = `There is no checkpoint ${wanted}; the last one has the size ${size}.`;
  throw new FinanceRefusal('SEAL_CHECKPOINT_NOT_FOUND', message);
}

async function find(store: LedgerStore, end: ReportEnd, seal: MakeCheckpoint) {
  const reader = new SealReader(store);
  if (end === 'last') return reader.findLast();
  if (end === 'now') return seal();
  if (typeof end === 'number') return reader.find(end);
  for await (const one of reader.listBackwards()) {
    if (one.kind === 'checkpoint' && one.sealedAt <= end.instant) return one;
  }
  return undefined;
}
