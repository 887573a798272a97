/**
 * What TLS and credentials between the API and the event store cost a command: the same durable commands
 * over HTTP against a secure store and an insecure one (decision 0060). Each has an API and a Redis of its own;
 * the two take turns in several rounds, and the processor time is what the kernel counted for each process.
 */
import { randomBytes } from 'node:crypto';
import { connectEventStore } from '#event-store/connect';
import { readConnectionString } from '../support/connection-string.js';
import { startRedis } from '../support/redis.js';
import { type BenchResult, median, progress } from './benchmark.js';
import { createCommandsTenant } from './commands-tenant.js';
import { HttpCommands } from './http-commands.js';
import { readSpentMs, type RunningProgram, startProgram } from './program.js';

export const description =
  'durable commands over HTTP, 64 in flight, with a secure event store against the same with an insecure one';

const ROUNDS = 9;
const ROUND_SECONDS = 3;
const WARM_UP_COMMANDS = 12_000;
const MOST_WARM_UPS = 15;

interface Side {
  readonly commands: HttpCommands;
  readonly api: RunningProgram;
  readonly store: RunningProgram;
  stop(): Promise<void>;
}

/** One round of one side. */
interface Round {
  readonly perSecond: number;
  /** Processor time a command, in microseconds. */
  readonly apiUs: number;
  readonly storeUs: number;
}

export async function run(): Promise<BenchResult> {
  const secure = await startSide([]);
  try {
    const insecure = await startSide(['--insecure']);
    try {
      return await compare(secure, insecure);
    } finally {
      await insecure.stop();
    }
  } finally {
    await secure.stop();
  }
}

async function startSide(options: readonly string[]): Promise<Side> {
  const masterKey = randomBytes(32);
  const redis = await startRedis();
  const store = await startProgram('programs/event-store.js', {}, true, options);
  const eventStoreUrl = readConnectionString(store.ready);
  const client = connectEventStore(eventStoreUrl);
  const tenant = await createCommandsTenant(client, masterKey);
  await client.dispose();
  const api = await startProgram('programs/api.js', {
    EVENTSTOREDB_URL: eventStoreUrl,
    REDIS_URL: redis.url,
    MASTER_KEY: masterKey.toString('base64'),
    PORT: '0',
    LOG_LEVEL: 'warn',
  });
  const stop = async () => {
    await api.stop();
    await store.stop();
    await redis.stop();
  };
  return { commands: new HttpCommands(String(api.ready['url']), tenant), api, store, stop };
}

async function compare(secure: Side, insecure: Side): Promise<BenchResult> {
  progress('warming up ...');
  for (const side of [secure, insecure]) await warmUp(side);
  const rounds: (readonly [secure: Round, insecure: Round])[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    // Who goes first changes, so that neither always finds the disk as the other left it.
    const isSecureFirst = round % 2 === 1;
    const first = await oneRound(isSecureFirst ? secure : insecure);
    const second = await oneRound(isSecureFirst ? insecure : secure);
    const pair = isSecureFirst ? ([first, second] as const) : ([second, first] as const);
    rounds.push(pair);
    progress(`round ${round}: secure ${describe(pair[0])}; insecure ${describe(pair[1])}`);
  }
  const of = (side: 0 | 1, figure: (round: Round) => number) =>
    median(rounds.map((pair) => figure(pair[side])));
  const cpu = (round: Round) => round.apiUs + round.storeUs;
  const cpuFigures = (side: 0 | 1) => ({
    api: Math.round(of(side, ({ apiUs }) => apiUs)),
    eventStore: Math.round(of(side, ({ storeUs }) => storeUs)),
  });
  const ratio = (figure: (round: Round) => number) =>
    Number(median(rounds.map(([one, other]) => figure(one) / figure(other))).toFixed(3));
  return {
    value: of(0, ({ perSecond }) => perSecond),
    limit: of(1, ({ perSecond }) => perSecond),
    unit: 'commands/s',
    extra: {
      medianOfRoundRatios: ratio(({ perSecond }) => perSecond),
      cpuUsPerCommandSecure: cpuFigures(0),
      cpuUsPerCommandInsecure: cpuFigures(1),
      cpuRatio: ratio(cpu),
    },
  };
}

/** Until the compiler has seen enough: on a busy machine a number of rounds says little about that. */
async function warmUp(side: Side): Promise<void> {
  let done = 0;
  for (let n = 0; n < MOST_WARM_UPS && done < WARM_UP_COMMANDS; n += 1) {
    done += (await oneRound(side)).perSecond * ROUND_SECONDS;
  }
}

async function oneRound({ commands, api, store }: Side): Promise<Round> {
  const [apiBefore, storeBefore, startedAt] = [cpuUs(api), cpuUs(store), performance.now()];
  const perSecond = await commands.run(ROUND_SECONDS);
  const done = (perSecond * (performance.now() - startedAt)) / 1000;
  return {
    perSecond,
    apiUs: (cpuUs(api) - apiBefore) / done,
    storeUs: (cpuUs(store) - storeBefore) / done,
  };
}

/** What a process has used of processors, in its own code and in the kernel's. */
function cpuUs({ pid }: RunningProgram): number {
  return readSpentMs(pid) * 1_000;
}

function describe({ perSecond, apiUs, storeUs }: Round): string {
  return `${perSecond.toFixed(0)}/s, api ${apiUs.toFixed(0)} + store ${storeUs.toFixed(0)} us`;
}
