/**
 * Breaks workers and Redis while webhooks are delivered to receivers that misbehave at random, and compares the owed
 * webhooks with the received ones (rules/webhooks 4, 5, 8): each message at each endpoint that wants it, at least once,
 * each time the same bytes, signed, numbered 1, 2, 3 as the store has it; in order for each subject; once more each
 * time that it is asked for; and never again but after a breakage that can have lost it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { Random } from './edge/random.js';
import { Findings } from './full-disk/findings.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';
import { type Breakage, BREAKAGES, type BreakageKind, breakOnce } from './webhooks/breakages.js';
import { BreakableLedger } from './webhooks/ledger.js';
import { listOwedMessages } from './webhooks/owed-messages.js';
import { MoodyReceiver } from './webhooks/receiver.js';
import { listOwedDeliveries, listUndelivered, reconcile } from './webhooks/reconciliation.js';
import { Traffic } from './webhooks/traffic.js';

export const description =
  'kill -9 and SIGSTOP of workers and Redis, FLUSHALL, a cut append-only file, under webhooks\n' +
  '                 (--rounds; --seed; --only a number of what is broken)';

const DEFAULT_ROUNDS = 21;
const KINDS = Object.keys(BREAKAGES) as BreakageKind[];

export interface WebhookRounds {
  /** The breakages, a round for each. */
  readonly kinds: readonly BreakageKind[];
  readonly seed: number;
  readonly eventsARound: number;
  /** Whether some attempts last until the worker gives them up, after 15 s. */
  readonly isPatient: boolean;
  /** Whether all is delivered before the next thing breaks. */
  readonly mendsEachRound: boolean;
  readonly workers: number;
  readonly progress: ChaosOptions['progress'];
}

/** A message that failed once comes after 6 s; places that hang are free after 15 s; a lease ends after 3 s. */
const DELIVERED_WITHIN_MS = 90_000;
/** A repetition without a reason comes by then. */
const AFTERWARDS_MS = 1_500;

export function run({ rounds = DEFAULT_ROUNDS, seed, only, progress }: ChaosOptions) {
  const chosen = KINDS.filter((_, n) => only === undefined || n === only);
  const kinds = Array.from({ length: rounds }, (_, n) => chosen[n % chosen.length] ?? KINDS[0]!);
  const given = seed ?? Math.floor(Math.random() * 1e9);
  const long = { eventsARound: 150, isPatient: true, mendsEachRound: true, workers: 2 };
  return untilInterrupted(breakInRounds({ ...long, kinds, seed: given, progress }));
}

/** Plays rounds: traffic, something breaks in the middle of it, and everything is delivered in the end. */
export async function breakInRounds(options: WebhookRounds): Promise<ChaosResult> {
  const { kinds, seed, isPatient, progress } = options;
  const ledger = new BreakableLedger(options.workers);
  const receiver = new MoodyReceiver(seed, isPatient);
  const traffic = new Traffic(ledger, receiver, new Random(seed, 0));
  const breakages: Breakage[] = [];
  const findings = new Findings();
  try {
    await receiver.listen();
    await ledger.start();
    await traffic.open();
    for (const [n, kind] of kinds.entries()) {
      const random = new Random(seed, n + 1);
      const flowing = traffic.flow(options.eventsARound);
      // Awaited below: should it fail before that, the run has failed, and not the whole process.
      flowing.catch(() => undefined);
      await sleep(200 + random.below(1_000));
      breakages.push(await breakOnce(kind, ledger, random));
      await flowing;
      const isMended =
        (!options.mendsEachRound && n < kinds.length - 1) ||
        (await untilDelivered(ledger, traffic, receiver));
      progress(n + 1, kinds.length, kind);
      if (!isMended) break;
    }
    await sleep(AFTERWARDS_MS);
    return await conclude(options, { ledger, receiver, traffic, breakages, findings });
  } finally {
    await ledger.stop();
    receiver.close();
  }
}

interface Played {
  readonly ledger: BreakableLedger;
  readonly receiver: MoodyReceiver;
  readonly traffic: Traffic;
  readonly breakages: readonly Breakage[];
  readonly findings: Findings;
}

async function conclude({ seed }: WebhookRounds, played: Played): Promise<ChaosResult> {
  const { ledger, receiver, traffic, breakages, findings } = played;
  const { endpoints, arrivals } = receiver;
  const owed = await listOwed(ledger, traffic);
  const repeats = reconcile(
    { owed, endpoints, arrivals, resends: traffic.resends, breakages },
    findings,
  );
  const deliveries = listOwedDeliveries({ owed, endpoints }).size;
  const failed = arrivals.filter(({ isAccepted }) => !isAccepted).length;
  const resends = traffic.resends.length;
  const counts = { rounds: breakages.length, messages: owed.length, deliveries, resends, failed };
  const summary =
    `${breakages.length} breakages: ${deliveries} deliveries, ${resends} resends, ${failed} attempts met no success, ` +
    `repeated: ${JSON.stringify(repeats.byKind)} (seed ${seed})`;
  return { summary, figures: { seed, ...counts, ...repeats }, findings: findings.lines };
}

/** @returns whether all came; a missing one is a finding of the reconciliation. */
async function untilDelivered(
  ledger: BreakableLedger,
  traffic: Traffic,
  { endpoints, arrivals }: MoodyReceiver,
): Promise<boolean> {
  const owed = await listOwed(ledger, traffic);
  const { resends } = traffic;
  const isDelivered = () => listUndelivered({ owed, endpoints, arrivals, resends }).length === 0;
  const limits = { what: 'the webhooks', limitMs: DELIVERED_WITHIN_MS, longestPollMs: 200 };
  return eventually(isDelivered, limits).then(
    () => true,
    () => false,
  );
}

async function listOwed(ledger: BreakableLedger, { subscriptionIds }: Traffic) {
  const each = subscriptionIds.map((id) => listOwedMessages(ledger, id));
  return (await Promise.all(each)).flat();
}
