/**
 * How fast a ledger is sealed from its first event. The limit is the same subscription, in the same process, that reads
 * the same events and does nothing with them. Each round has a ledger of its own, which is then verified, and of which
 * events are proved.
 */
import process from 'node:process';
import { type LedgerStore, START } from '#event-store';
import { type FoundCheckpoint, hasLeaf, ledgerPattern, sealNow, SealingKeys } from '#sealing';
import { newSigningKey } from './bench-key.js';
import { type BenchOptions, type BenchResult, countRounds, median, progress } from './benchmark.js';
import { EVENTS_A_SUBSCRIPTION, writeHistories } from './histories.js';
import { readResidentMb } from './program-memory.js';
import { type AuditFigures, measureAudits } from './seal-audits.js';
import { Stage } from './stage.js';

export const description =
  'sealing a ledger from its first event, against a reading of its events by the same subscription (--events, 300,000)';

const DEFAULT_EVENTS = 300_000;

export async function run({ events = DEFAULT_EVENTS }: BenchOptions): Promise<BenchResult> {
  const subscriptions = Math.ceil(events / EVENTS_A_SUBSCRIPTION);
  const rounds: Round[] = [];
  for (let round = 1; round <= countRounds(events); round += 1) {
    const found = await Stage.with((stage) => compare(stage, subscriptions));
    progress(`round ${round}: ${found.value.toFixed(0)} sealed, ${found.limit.toFixed(0)} read`);
    rounds.push(found);
  }
  return {
    value: median(rounds.map(({ value }) => value)),
    limit: median(rounds.map(({ limit }) => limit)),
    unit: 'events/s',
    ratios: rounds.map(({ value, limit }) => value / limit),
    extra: {
      events: subscriptions * EVENTS_A_SUBSCRIPTION,
      residentMb: rounds.map(({ residentMb }) => residentMb),
      verifyRatio: rounds.map(({ verifyRatio }) => verifyRatio),
      proofMs: rounds.map(({ proofMs }) => proofMs),
    },
  };
}

interface Round extends AuditFigures {
  readonly value: number;
  readonly limit: number;
  readonly residentMb: number;
}

async function compare({ client }: Stage, subscriptions: number): Promise<Round> {
  progress(`writing the histories of ${subscriptions} subscriptions`);
  await writeHistories(client, subscriptions);
  const read = await measure(() => readAll(client));
  const key = newSigningKey();
  let last: FoundCheckpoint | undefined;
  const sealed = await measure(async () => {
    const keys = new SealingKeys({ key });
    last = await sealNow({ store: client, keys, originHost: 'bench.example' });
    return last?.checkpoint.size ?? 0;
  });
  const residentMb = readResidentMb(process.pid);
  if (last === undefined || read.events !== sealed.events) {
    throw new Error(`${read.events} events were read, and ${sealed.events} sealed`);
  }
  return {
    value: sealed.events / sealed.seconds,
    limit: read.events / read.seconds,
    residentMb,
    ...(await measureAudits(client, key, last)),
  };
}

async function measure(act: () => Promise<number>) {
  const startedAtMs = performance.now();
  const events = await act();
  return { events, seconds: (performance.now() - startedAtMs) / 1_000 };
}

async function readAll({ verbatim, names }: LedgerStore): Promise<number> {
  const end = new AbortController();
  let events = 0;
  for await (const item of verbatim.follow(START, ledgerPattern(names.namespace), end.signal)) {
    if (item.kind === 'event' && hasLeaf(names.fromStored(item.event.streamName))) events += 1;
    if (item.kind === 'caught-up') end.abort();
  }
  return events;
}
