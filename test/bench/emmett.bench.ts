/**
 * The commands of the ledger beside those of a program on Emmett: the same requests, decisions and store, in
 * rounds that take turns. Emmett is installed for it into a folder of its own (decision 0001).
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { subscriptionAggregate } from '#domain/subscription';
import { connectEventStore } from '#event-store/connect';
import { readConnectionString } from '../support/connection-string.js';
import { startRedis } from '../support/redis.js';
import { type BenchResult, median, progress } from './benchmark.js';
import {
  createCommandsTenant,
  createSubscription,
  type CommandsTenant,
} from './commands-tenant.js';
import { HttpCommands } from './http-commands.js';
import { readSpentMs, type RunningProgram, startProgram } from './program.js';
import { listNodeFlags } from '../../apps/standalone/src/node-flags.js';

export const description =
  'commands a second over HTTP, and processor time for each, beside a program on Emmett 0.20';

const HOME = path.resolve('tools/emmett');
const CATEGORY = 'emmett_subscription';
const ROUNDS = 7;
const ROUND_SECONDS = 3;
const SEEDED_AT_ONCE = 64;

export async function run(): Promise<BenchResult> {
  install();
  const masterKey = randomBytes(32);
  const redis = await startRedis();
  const store = await startProgram('programs/event-store.js', {}, true);
  const url = readConnectionString(store.ready);
  const client = connectEventStore(url);
  const programs: RunningProgram[] = [];
  try {
    const tenant = await createCommandsTenant(client, masterKey);
    await seed(url, tenant);
    const settings = { REDIS_URL: redis.url, MASTER_KEY: masterKey.toString('base64'), PORT: '0' };
    const env = { EVENTSTOREDB_URL: url, LOG_LEVEL: 'warn' };
    const api = ['programs/api.js', { ...env, ...settings }] as const;
    const { appId, ingressSecret } = tenant;
    const secrets = { APP_ID: appId, INGRESS_SECRET: ingressSecret, CATEGORY };
    const emmett = [path.join(HOME, 'server.mjs'), { ...env, ...secrets }] as const;
    for (const [main, settings] of [api, emmett]) {
      programs.push(await startProgram(main, settings, false, [], listNodeFlags('api')));
    }
    return await compare(programs, store, tenant);
  } finally {
    for (const program of programs) await program.stop();
    await client.dispose();
    await store.stop();
    await redis.stop();
  }
}

function install(): void {
  if (existsSync(path.join(HOME, 'node_modules'))) return;
  progress('installing Emmett (npm ci in tools/emmett) ...');
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: HOME, stdio: 'inherit' });
}

/** The same subscriptions, in streams as Emmett writes them. */
async function seed(url: string, { appId, subscriptionIds }: CommandsTenant): Promise<void> {
  const client = EventStoreDBClient.connectionString(url);
  const left = [...subscriptionIds];
  const worker = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const events = createdSubscription(appId, id).map((event) => jsonEvent(event));
      await client.appendToStream(`${CATEGORY}-${id}`, events);
    }
  };
  await Promise.all(Array.from({ length: SEEDED_AT_ONCE }, worker));
  await client.dispose();
}

function createdSubscription(appId: string, subscriptionId: string) {
  const { decide, initialState } = subscriptionAggregate.decider;
  const decision = decide(createSubscription(appId, subscriptionId), initialState);
  if (!decision.accepted) throw new Error(decision.rejection.code);
  // jsonEvent takes any JSON; an event of the domain is no more.
  return decision.events.map(({ type, data }) => ({ type, data: data as Record<string, string> }));
}

interface Side {
  readonly program: RunningProgram;
  readonly commands: HttpCommands;
  readonly rates: number[];
  /** Of the program and the event store together. */
  readonly cpuUs: number[];
}

async function compare(
  [api, emmett]: readonly RunningProgram[],
  store: RunningProgram,
  tenant: CommandsTenant,
): Promise<BenchResult> {
  const sides = [api, emmett].map((program): Side => {
    if (program === undefined) throw new Error('a program is missing');
    const commands = new HttpCommands(String(program.ready['url']), tenant);
    return { program, commands, rates: [], cpuUs: [] };
  });
  progress('warming up ...');
  for (const { commands } of sides) await commands.run(ROUND_SECONDS);
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const side of sides) await measure(side, store);
    const shown = sides.map(({ rates }) => rates.at(-1)?.toFixed(0));
    progress(`round ${round}: ${shown.join(' commands/s, Emmett ')}`);
  }
  const [ours, theirs] = sides.map(({ rates, cpuUs, commands }) => ({
    perSecond: Math.round(median(rates)),
    cpuUsPerCommand: Math.round(median(cpuUs)),
    p99Ms: commands.p99Ms,
  }));
  return {
    value: ours?.perSecond ?? 0,
    limit: theirs?.perSecond ?? 0,
    unit: 'commands/s',
    extra: {
      ours,
      emmett: theirs,
      timesTheProcessorTime: (theirs?.cpuUsPerCommand ?? 0) / (ours?.cpuUsPerCommand ?? Infinity),
    },
  };
}

async function measure({ program, commands, rates, cpuUs }: Side, store: RunningProgram) {
  const spent = () => readSpentMs(program.pid) + readSpentMs(store.pid);
  const before = spent();
  const perSecond = await commands.run(ROUND_SECONDS);
  rates.push(perSecond);
  cpuUs.push(((spent() - before) * 1000) / (perSecond * ROUND_SECONDS));
}
