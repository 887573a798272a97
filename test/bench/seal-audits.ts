import { type LedgerStore, START, type VerbatimEvent } from '#event-store';
import { hashLeaf, leafLine } from '#seal';
import { KnownKeys, proveEvents, verifySeals } from '#seal-audit';
import { type FoundCheckpoint, hasLeaf, ledgerPattern } from '#sealing';
import { median } from './benchmark.js';

/** Events that are proved, each as a command would by itself. */
const PROOFS = 50;

/** The figures of one ledger's audits. */
export interface AuditFigures {
  /** The rate of `seal verify` against that of a bare loop that reads the same events and hashes them. */
  readonly verifyRatio: number;
  /** A proof of inclusion, with the search for the event's leaf: the median, in milliseconds. */
  readonly proofMs: number;
}

/** Verifies a sealed ledger, and proves events that lie far from each other. @param key in PEM. */
export async function measureAudits(
  store: LedgerStore,
  key: string,
  last: FoundCheckpoint,
): Promise<AuditFigures> {
  const events: VerbatimEvent[] = [];
  const every = Math.ceil(last.checkpoint.size / PROOFS);
  let count = 0;
  const bareMs = await time(async () => {
    for await (const event of readLeaves(store)) {
      if (count % every === 0) events.push(event);
      count += 1;
    }
  });
  const verifyMs = await time(async () => {
    const found = await verifySeals({ store, keys: new KnownKeys([], key) });
    if (found?.total !== 0) throw new Error('the ledger is not as it was sealed');
  });
  const proofs: number[] = [];
  for (const event of events) {
    proofs.push(await time(() => prove(store, last, event)));
  }
  const proofMs = Number(median(proofs).toFixed(1));
  return { verifyRatio: Number((bareMs / verifyMs).toFixed(3)), proofMs };
}

async function time(act: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await act();
  return performance.now() - startedAtMs;
}

async function prove(store: LedgerStore, last: FoundCheckpoint, event: VerbatimEvent) {
  for await (const { proved } of proveEvents(store, last, [event])) {
    if (proved === undefined) throw new Error('an event has no leaf');
  }
}

async function* readLeaves({ verbatim, names }: LedgerStore): AsyncGenerator<VerbatimEvent> {
  const end = new AbortController();
  for await (const item of verbatim.follow(START, ledgerPattern(names.namespace), end.signal)) {
    if (item.kind === 'caught-up') end.abort();
    if (item.kind !== 'event') continue;
    const streamName = item.event.streamName.slice(names.namespace.length + 1);
    if (!hasLeaf(streamName)) continue;
    const { id: eventId, type, data, metadata } = item.event;
    hashLeaf(leafLine({ streamName, eventId, type, data, metadata }));
    yield item.event;
  }
}
