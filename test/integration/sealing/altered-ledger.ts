import type { LedgerStore, VerbatimEvent } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { sealNow } from '#sealing';
import { added, RestartableStore } from '../event-store/support.js';
import { SealedLedger } from './support.js';

/** The stored events of a ledger, in the order of the log. */
export type Log = readonly VerbatimEvent[];

/** Streams of a ledger, and the list of ledgers in its store. */
const STREAMS = String.raw`^(?:sl\.|subledger-namespaces$)`;

/** Seals two full tiles and some more leaves, by two checkpoints: payments, and two players, one of whom is erased. */
export async function startAudited(): Promise<SealedLedger> {
  const ledger = await SealedLedger.start();
  const add = (stream: string, ...types: string[]) =>
    ledger.store.append(
      stream,
      'any',
      types.map((type) => added(1, type)),
    );
  await add('player-kept', 'player.registered.v1', 'player.key_resealed.v1');
  await add('player-gone', 'player.registered.v1');
  const addPayments = (type: string) =>
    Promise.all(Array.from({ length: 300 }, (_, at) => add(`payment-pay_${at}`, type)));
  await addPayments('payment.initiated.v1');
  await sealNow(ledger.sealing);
  await addPayments('payment.captured.v1');
  await add('player-kept', 'player.key_resealed.v1');
  await add('player-gone', 'player.erased.v1');
  await add('payment-pay_0', 'payment.refunded.v1');
  await sealNow(ledger.sealing);
  return ledger;
}

/** Everything that a store has of a ledger. */
export async function readLog(store: LedgerStore): Promise<VerbatimEvent[]> {
  const events: VerbatimEvent[] = [];
  const end = new AbortController();
  for await (const item of store.verbatim.follow('', STREAMS, end.signal)) {
    if (item.kind === 'caught-up') break;
    if (item.kind === 'event') events.push(item.event);
  }
  end.abort();
  return events;
}

/** A log in a store of its own: revisions and positions follow from it. */
export class WrittenLog {
  private constructor(
    private readonly server: RestartableStore,
    readonly store: LedgerStore,
  ) {}

  get connectionString(): string {
    return this.server.connectionString;
  }

  static async write(log: Log): Promise<WrittenLog> {
    const server = await RestartableStore.start();
    const store = connectEventStore(server.connectionString);
    for (const run of splitRuns(log)) {
      await store.verbatim.append(run[0]?.streamName ?? '', 'any', run);
    }
    return new WrittenLog(server, store);
  }

  async remove(): Promise<void> {
    await this.store.dispose();
    await this.server.remove();
  }
}

function splitRuns(log: Log): VerbatimEvent[][] {
  const runs: VerbatimEvent[][] = [];
  for (const event of log) {
    const run = runs.at(-1);
    if (run?.[0]?.streamName === event.streamName && run.length < 50) run.push(event);
    else runs.push([event]);
  }
  return runs;
}
