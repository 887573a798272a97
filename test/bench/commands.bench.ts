/**
 * Durable commands over HTTP against raw appends of the same events: `appendToStream` of `@eventstore/db-client`, the
 * same client on the same store, with nothing of ours around it: the client alone. The ledger's own way of appending is
 * measured beside it, since it is faster: against the raw part alone, a cheaper append would make both faster and the
 * ratio no better. The same commands with an insecure store have the cost of TLS and credentials (decision 0010): API,
 * store and Redis are their own. API and store run, projector and worker do not, in all of them, which take turns in
 * several rounds; the kernel counts the processor time of each process.
 */
import { EventStoreDBClient } from '@eventstore/db-client';
import { Appends, ownAppend, rawAppend } from './appends.js';
import { type BenchResult, median, progress } from './benchmark.js';
import { loadBareCommands } from './http-commands.js';
import { listNodeFlags } from '../../apps/standalone/src/node-flags.js';
import {
  type CommandsRound,
  type CommandsSide,
  describeRound,
  oneRound,
  ROUND_SECONDS,
  startSide,
  warmUp,
} from './commands-side.js';
import { Stage } from './stage.js';

export const description =
  'durable cancel and reactivate commands over HTTP (HMAC), 64 in flight, against raw appends of the same events';

const ROUNDS = 14;

/** The parts that take turns in a round. */
interface Round {
  readonly secure: CommandsRound;
  readonly insecure: CommandsRound;
  readonly rawPerSecond: number;
  readonly ownPerSecond: number;
  readonly barePerSecond: number;
}

export function run(): Promise<BenchResult> {
  return Stage.with(async (stage) => {
    const secure = await startSide(stage);
    const insecurely = { storeArgs: ['--insecure'] };
    const against = async (other: Stage) => compare(stage, secure, await startSide(other));
    return Stage.with(against, insecurely);
  });
}

async function compare(
  stage: Stage,
  secure: CommandsSide,
  insecure: CommandsSide,
): Promise<BenchResult> {
  const { appId } = secure.tenant;
  const flags = { args: ['append'], nodeFlags: listNodeFlags('api') };
  const bare = await stage.start('test/bench/bare.js', { APP_ID: appId }, flags);
  const own = new Appends('own', ownAppend(stage.client), appId);
  const rawClient = EventStoreDBClient.connectionString(stage.eventStoreUrl);
  const raw = new Appends('raw', rawAppend(rawClient), appId);
  progress('warming up ...');
  for (const side of [secure, insecure]) await warmUp(side);
  await loadBareCommands(bare, 6 * ROUND_SECONDS);
  for (const appends of [raw, own]) await appends.run(2 * ROUND_SECONDS);
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const taken = {
      secure: await oneRound(secure),
      rawPerSecond: await raw.run(ROUND_SECONDS),
      insecure: await oneRound(insecure),
      ownPerSecond: await own.run(ROUND_SECONDS),
      barePerSecond: await loadBareCommands(bare, ROUND_SECONDS),
    };
    rounds.push(taken);
    progress(`round ${round}: ${describe(taken)}`);
  }
  return summarize(rounds, secure);
}

function describe(round: Round): string {
  const { secure, insecure, rawPerSecond, ownPerSecond, barePerSecond } = round;
  const others = `${ownPerSecond.toFixed(0)} by our own way, ${barePerSecond.toFixed(0)} by a bare route`;
  const appends = `${rawPerSecond.toFixed(0)} raw appends/s (${others})`;
  return `${describeRound(secure)}; without TLS ${describeRound(insecure)}; ${appends}`;
}

function summarize(rounds: readonly Round[], { commands }: CommandsSide): BenchResult {
  const middle = (figure: (round: Round) => number) => median(rounds.map(figure));
  const ratio = (figure: (round: Round) => number) => Number(middle(figure).toFixed(3));
  const spent = ({ apiUs, storeUs }: CommandsRound) => apiUs + storeUs;
  return {
    value: middle(({ secure }) => secure.perSecond),
    limit: middle(({ rawPerSecond }) => rawPerSecond),
    unit: 'commands/s',
    ratios: rounds.map(({ secure, rawPerSecond }) => secure.perSecond / rawPerSecond),
    extra: {
      ownAppendsPerSecond: Math.round(middle(({ ownPerSecond }) => ownPerSecond)),
      barePerSecond: Math.round(middle(({ barePerSecond }) => barePerSecond)),
      bareRatio: ratio(({ barePerSecond, rawPerSecond }) => barePerSecond / rawPerSecond),
      ratioToBare: ratio(({ secure, barePerSecond }) => secure.perSecond / barePerSecond),
      p99Ms: commands.p99Ms,
      withTls: figures(rounds.map(({ secure }) => secure)),
      withoutTls: figures(rounds.map(({ insecure }) => insecure)),
      tlsRate: ratio(({ secure, insecure }) => secure.perSecond / insecure.perSecond),
      tlsMicros: ratio(({ secure, insecure }) => spent(secure) / spent(insecure)),
    },
  };
}

function figures(rounds: readonly CommandsRound[]) {
  const middle = (figure: (round: CommandsRound) => number) =>
    Math.round(median(rounds.map(figure)));
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    apiMicros: middle(({ apiUs }) => apiUs),
    eventStoreMicros: middle(({ storeUs }) => storeUs),
  };
}
