/**
 * The commands of the ledger beside those of a program on Emmett: the same requests, decisions and store, in
 * rounds that take turns. Emmett is installed for it into a folder of its own (decision 0001).
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { subscriptionAggregate } from '#domain/subscription';
import { forEachConcurrently } from '#platform';
import type { RunningProgram } from '../support/program.js';
import { type BenchResult, median, progress } from './benchmark.js';
import {
  createCommandsTenant,
  createSubscription,
  type CommandsTenant,
} from './commands-tenant.js';
import { HttpCommands } from './http-commands.js';
import { readSpentMs } from './spent.js';
import { Stage } from './stage.js';
import { listNodeFlags } from '../../apps/standalone/src/node-flags.js';

export const description =
  'commands a second over HTTP, and processor time for each, beside a program on Emmett 0.20';

const HOME = path.resolve('tools/emmett');
const CATEGORY = 'emmett_subscription';
const ROUNDS = 7;
const ROUND_SECONDS = 3;
const SEEDED_AT_ONCE = 64;

export function run(): Promise<BenchResult> {
  install();
  return Stage.with(async (stage) => {
    const tenant = await createCommandsTenant(stage);
    await seed(stage.eventStoreUrl, tenant);
    const { appId, ingressSecret } = tenant;
    const secrets = { APP_ID: appId, INGRESS_SECRET: ingressSecret, CATEGORY };
    const api = await start(stage, 'api', {});
    const emmett = await start(stage, path.join(HOME, 'server.mjs'), secrets);
    return compare([api, emmett], stage.store, tenant);
  });
}

function start(stage: Stage, name: string, env: Readonly<Record<string, string>>) {
  return stage.start(name, { ...env, LOG_LEVEL: 'warn' }, { nodeFlags: listNodeFlags('api') });
}

function install(): void {
  if (existsSync(path.join(HOME, 'node_modules'))) return;
  progress('installing Emmett (npm ci in tools/emmett) ...');
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: HOME, stdio: 'inherit' });
}

/** The same subscriptions, in streams as Emmett writes them. */
async function seed(url: string, tenant: CommandsTenant): Promise<void> {
  const client = EventStoreDBClient.connectionString(url);
  await forEachConcurrently(tenant.subscriptionIds, SEEDED_AT_ONCE, async (id) => {
    const events = createdSubscription(tenant, id).map((event) => jsonEvent(event));
    await client.appendToStream(`${CATEGORY}-${id}`, events);
  });
  await client.dispose();
}

function createdSubscription(tenant: CommandsTenant, subscriptionId: string) {
  const { decide, initialState } = subscriptionAggregate.decider;
  const decision = decide(createSubscription(tenant, subscriptionId), initialState);
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
