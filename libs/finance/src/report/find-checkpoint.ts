import { financeAggregate } from '#domain/finance';
import type { LedgerStore } from '#event-store';
import { type FoundCheckpoint, SealReader } from '#sealing';
import type { FinanceApp } from '../finance-app.js';
import { FinanceRefusal } from '../finance-refusal.js';
import type { ReportEnd } from './question.js';

/** Makes a checkpoint of all that is stored; undefined where nothing is. */
export type MakeCheckpoint = () => Promise<FoundCheckpoint | undefined>;

/** The checkpoint that a report of an app counts to. @throws FinanceRefusal where there is none; Fault. */
export async function findCheckpoint(
  app: FinanceApp,
  asOf: ReportEnd,
  seal: MakeCheckpoint,
): Promise<FoundCheckpoint> {
  const { store } = app;
  const end = await findClose(app, asOf);
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

type EndOfLog = Exclude<ReportEnd, { readonly closed: string }>;

/** A close as the size of its checkpoint. */
async function findClose({ appId, commands }: FinanceApp, end: ReportEnd): Promise<EndOfLog> {
  if (typeof end !== 'object' || !('closed' in end)) return end;
  const { closed } = (await commands.load(financeAggregate, appId)).state;
  const close = closed.find(({ period }) => period === end.closed);
  if (close !== undefined) return close.size;
  const last = closed.at(-1)?.period;
  const known = last === undefined ? 'no month is' : `${last} is the last closed one`;
  throw new FinanceRefusal('PERIOD_OPEN', `${end.closed} is not closed: ${known}.`);
}

async function find(store: LedgerStore, end: EndOfLog, seal: MakeCheckpoint) {
  const reader = new SealReader(store);
  if (end === 'last') return reader.findLast();
  if (end === 'now') return seal();
  if (typeof end === 'number') return reader.find(end);
  for await (const one of reader.listBackwards()) {
    if (one.kind === 'checkpoint' && one.sealedAt <= end.instant) return one;
  }
  return undefined;
}
