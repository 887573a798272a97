/**
 * Ends a process (SIGKILL) at every step of everything that moves money: the one that is about to make the step, or the
 * store, Redis, the API or the storefront beside it. The steps are found, not listed here: they are the texts that any
 * program sends while the act is played undisturbed. Afterwards all is as the model of a player has it: subscription,
 * payments, lines, the sequence of webhooks; and at the end the books of the gateway and the ledger agree: never two
 * charges, never none, never a payment without its subscription's event (rules/lifecycle 8, rules/payments 16).
 */
import type { Part } from '../support/standalone.js';
import { auditBooks } from './billing-model/books.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { onStage } from './chaos-stage.js';
import { Findings } from './full-disk/findings.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';
import { type Act, ACTS } from './kills/acts.js';
import { GateFile, type KillStep } from './kills/gate.js';
import { type Kill, type KillStage, listSteps, playKilled } from './kills/play.js';

export const description =
  'SIGKILL of each program, the store and Redis at every step of what moves money\n' +
  '                 (--rounds kills in each act, all without; --only a number; --seed)';

/** They die while another one is held right before its step. */
const BESIDE: readonly Part[] = [
  'event-store',
  'redis',
  'api',
  'storefront',
  'projector',
  'worker',
];

export function run({ rounds, only, seed = 0, progress }: ChaosOptions): Promise<ChaosResult> {
  const acts = ACTS.filter((_, n) => only === undefined || n === only);
  return untilInterrupted(killInEach(acts, (kills) => chooseKills(kills, rounds, seed), progress));
}

/** Plays these acts once for each kill that is chosen. */
export function killInEach(
  acts: readonly Act[],
  choose: (kills: readonly Kill[]) => readonly Kill[],
  progress: ChaosOptions['progress'],
): Promise<ChaosResult> {
  const gateIn = (dataDir: string) => new GateFile(dataDir);
  return onStage(
    (stage) => play({ ...stage, gate: gateIn(stage.standalone.dataDir) }, acts, choose, progress),
    (dataDir) => gateIn(dataDir).env,
  );
}

async function play(
  stage: KillStage,
  acts: readonly Act[],
  choose: (kills: readonly Kill[]) => readonly Kill[],
  progress: ChaosOptions['progress'],
): Promise<ChaosResult> {
  const findings = new Findings();
  const kills = new Map<string, number>();
  for (const act of acts) {
    const steps = await listSteps(act, stage).catch((error: unknown) => {
      findings.add(act.name, explain(error));
      return [];
    });
    const chosen = choose(listKills(steps));
    for (const [at, kill] of chosen.entries()) {
      const name = nameKill(act, kill);
      const isKilled = await playKilled(act, kill, stage).catch((error: unknown) => {
        findings.add(name, explain(error));
        return false;
      });
      if (isKilled) kills.set(act.name, (kills.get(act.name) ?? 0) + 1);
      progress(at + 1, chosen.length, name);
    }
  }
  const audit = await auditBooks(await stage.standalone.eventStoreUrl());
  for (const difference of audit.findings) findings.add('books and ledger differ', difference);
  const count = [...kills.values()].reduce((sum, each) => sum + each, 0);
  const summary = `${count} kills in ${kills.size} acts`;
  return {
    summary,
    figures: { kills: count, acts: Object.fromEntries(kills), keptMinor: audit.keptMinor },
    findings: findings.lines,
  };
}

const explain = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The program that makes a step dies of it, or a service of its; the store dies of its answer then, too. */
function listKills(steps: readonly KillStep[]): Kill[] {
  const isStore = ({ program }: KillStep) => program === 'event-store';
  const made = new Set(steps.filter((step) => !isStore(step)).map(({ text }) => text));
  return steps.flatMap((step) => {
    const self = step.program as Part;
    // Other reads are none of the act's.
    if (isStore(step)) return made.has(step.text) ? [{ step, victim: self }] : [];
    return [self, ...BESIDE.filter((part) => part !== self)].map((victim) => ({ step, victim }));
  });
}

/** So many of them, evenly. @param seed at which of them it begins. */
function chooseKills(kills: readonly Kill[], count = kills.length, seed: number): readonly Kill[] {
  if (count >= kills.length) return kills;
  const apart = kills.length / count;
  return kills.filter((_, n) => (n + seed) % apart < 1);
}

const nameKill = ({ name }: Act, { step, victim }: Kill) =>
  `${name}: the ${victim} dies when the ${step.program} is about to send ${step.text}`;
