/**
 * The time of reads while read models are rebuilt: 200 subscriptions a second by their ids, without a rebuild, beside
 * one of all read models, and beside one of 5,000 events a second. They take turns in pairs on one ledger.
 */
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { createCommandExecutor } from '#event-store';
import { wallClock } from '#platform';
import { projections } from '#projections';
import {
  decideOnReadModel,
  findReadModelNamed,
  lookAtBuild,
  type ReadModelAct,
  type ReadModelLedger,
} from '#read-model-operations';
import { signature } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { type BenchOptions, type BenchResult, median, progress } from './benchmark.js';
import { EVENTS_A_SUBSCRIPTION, writeHistories } from './histories.js';
import { ask, type LoadRequest } from './http-load.js';
import { createReadsTenant } from './reads-tenant.js';
import { Stage } from './stage.js';

export const description =
  'reads at 200/s without a rebuild, beside one, and beside one of 5,000 events/s (--events, 300,000)';

const DEFAULT_EVENTS = 300_000;
const PAIRS = 5;
const READS_PER_SECOND = 200;
/** A rebuild of the events takes longer. */
const SECONDS = 6;
const BOUND = 5_000;
const CONNECTIONS = 16;
const BUILD_LIMIT_MS = 120_000;

export function run(options: BenchOptions): Promise<BenchResult> {
  return Stage.with(
    async (stage) => {
      const tenant = await createReadsTenant(stage);
      const subscriptions = Math.ceil((options.events ?? DEFAULT_EVENTS) / EVENTS_A_SUBSCRIPTION);
      progress(`writing the histories of ${subscriptions} subscriptions`);
      await writeHistories(stage.client, subscriptions);
      await stage.start('projector');
      const { ready } = await stage.start('api');
      const headers = { 'x-service-hmac-signature': signature(tenant, '') };
      const requests = tenant.subscriptionIds.map(
        (id) => ({ method: 'GET', path: `/sdk/subscriptions/${id}`, headers }) as const,
      );
      const redis = new Redis(stage.redis.url);
      stage.atEnd(() => redis.disconnect());
      const { client: store, identity } = stage;
      const commands = createCommandExecutor(store);
      return compare(new Rebuilds({ store, commands, redis, identity, projections }), () =>
        load(String(ready['url']), requests),
      );
    },
    { partitions: 16 },
  );
}

async function compare(rebuilds: Rebuilds, read: () => Promise<number>): Promise<BenchResult> {
  const [quiet, beside, bounded]: [number[], number[], number[]] = [[], [], []];
  await read();
  for (let pair = 1; pair <= PAIRS; pair += 1) {
    quiet.push(await read());
    beside.push(await rebuilds.during(null, read));
    quiet.push(await read());
    bounded.push(await rebuilds.during(BOUND, read));
    progress(`pair ${pair}: ${[...quiet.slice(-2), beside.at(-1), bounded.at(-1)].join(', ')} ms`);
  }
  const ratios = beside.map((ms, pair) => ms / (quiet[2 * pair] ?? 0));
  const ofBounded = bounded.map((ms, pair) => ms / (quiet[2 * pair + 1] ?? 0));
  const extra = { boundedP99Ms: median(bounded), boundedRatio: median(ofBounded) };
  return { value: median(beside), limit: median(quiet), unit: 'ms p99', ratios, extra };
}

/** Rebuilds of all read models, which are held and dropped again. */
class Rebuilds {
  constructor(private readonly ledger: ReadModelLedger) {}

  /** @returns the answer of an act beside a rebuild. @throws Error where the rebuild was over before. */
  async during(maxPerSecond: number | null, act: () => Promise<number>): Promise<number> {
    const hold = true;
    for (const { name } of projections)
      await this.#decide(name, { kind: 'rebuild', hold, maxPerSecond });
    await eventually(async () => (await this.#look('subscriptions')).done > 0, {
      limitMs: BUILD_LIMIT_MS,
    });
    const found = await act();
    const { share } = await this.#look('payments');
    if (share >= 1) progress('the rebuild was over before the reads were: write more events');
    for (const { name } of projections) {
      const { partitions } = await this.#look(name);
      const { generation } = partitions[0] ?? {};
      if (generation !== undefined) await this.#decide(name, { kind: 'drop', generation });
    }
    await sleep(2_000);
    return found;
  }

  async #look(name: string) {
    return lookAtBuild(this.ledger, await this.#find(name));
  }

  async #find(name: string): Promise<string> {
    const found = await findReadModelNamed(this.ledger, name);
    if (found.kind === 'unknown') throw new Error(found.sentence);
    return found.named.readModel;
  }

  async #decide(name: string, act: ReadModelAct): Promise<void> {
    const named = { projection: name, readModel: await this.#find(name) };
    const context = {
      actor: 'bench',
      reason: 'a benchmark',
      now: wallClock.now(),
      formerKeptMs: 1,
    };
    const result = await decideOnReadModel(this.ledger, named, act, context);
    if (!result.accepted) throw new Error(`${name}: ${result.rejection.code}`);
  }
}

/** Sends reads at their rate, whether or not those before were answered. @returns the 99th percentile in ms. */
async function load(url: string, requests: readonly LoadRequest[]): Promise<number> {
  const clients = Array.from({ length: CONNECTIONS }, () => new Client(url));
  const latencies: number[] = [];
  const beganAtMs = performance.now();
  const sent = Array.from({ length: READS_PER_SECOND * SECONDS }, async (_, at) => {
    const dueAtMs = beganAtMs + (at * 1_000) / READS_PER_SECOND;
    await sleep(Math.max(0, dueAtMs - performance.now()));
    const [client, request] = [clients[at % CONNECTIONS], requests[at % requests.length]];
    if (client === undefined || request === undefined) throw new Error('there are both');
    await ask(client, request);
    latencies.push(performance.now() - dueAtMs);
  });
  await Promise.all(sent);
  await Promise.all(clients.map((client) => client.close()));
  latencies.sort((one, other) => one - other);
  return Number((latencies[Math.floor(latencies.length * 0.99)] ?? 0).toFixed(1));
}
