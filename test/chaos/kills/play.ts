import { readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';
import type { Part, RunningStandalone } from '../../support/standalone.js';
import { Player } from '../billing-model/player.js';
import type { ModelStage } from '../billing-model/studio-app.js';
import { type Model, newModel, type Real } from '../billing-model/step.js';
import { wait } from '../billing-model/wait-steps.js';
import type { Act } from './acts.js';
import type { GateFile, KillStep } from './gate.js';

/** The part that dies at a step. */
export interface Kill {
  readonly step: KillStep;
  readonly victim: Part;
}

/** Where lives are played, with a gate. */
export interface KillStage extends ModelStage {
  readonly standalone: RunningStandalone;
  readonly gate: GateFile;
}

const SOON_MS = 1_500;
const BACKUP = 'delivery_checkpoint.recorded.v2';
/** A part is back within this. */
const BACK_LIMIT_MS = 60_000;
/** Everything has ended by then, or shows its repetition. */
const AFTERWARDS = wait(36);

/** Plays an act undisturbed. @returns its steps: the texts that any program sends on the way. */
export async function listSteps(act: Act, stage: KillStage): Promise<readonly KillStep[]> {
  const life = await begin(act, stage);
  const finish = stage.gate.list();
  await act.act.run(life.model, life.real);
  // A worker's work in its own time, such as backups.
  await sleep(SOON_MS);
  return finish();
}

/**
 * Plays an act while a part dies at one of its steps, and then a day and a half more: all is as the model has it
 * after each.
 *
 * @returns whether something died: a backup in the worker's own time may not come within an act.
 * @throws AssertionError with the difference.
 */
export async function playKilled(
  act: Act,
  { step, victim }: Kill,
  stage: KillStage,
): Promise<boolean> {
  const { gate, standalone } = stage;
  const { model, real } = await begin(act, stage);
  const isItself = step.program === victim;
  gate.shut(step, isItself ? 'SIGKILL' : 'SIGSTOP');
  const acted = act.act.run(model, real);
  // Awaited below: should it fail before that, this life has failed, and not the whole process.
  acted.catch(() => undefined);
  let isReached = true;
  try {
    isReached = await gate.untilReached(step).then(
      () => true,
      (error: unknown) => {
        if (step.text !== BACKUP) throw error;
        return false;
      },
    );
    if (isReached && !isItself) {
      const held = await standalone.findPid(step.program as Part);
      await untilStopped(held);
      await standalone.killPart(victim);
      process.kill(held, 'SIGCONT');
    }
  } finally {
    gate.open();
  }
  await acted;
  await AFTERWARDS.run(model, real);
  await untilBack(victim, standalone);
  return isReached;
}

async function begin({ before }: Act, stage: ModelStage): Promise<{ model: Model; real: Real }> {
  const model = newModel();
  const real: Real = { player: await Player.start(stage) };
  for (const step of before) await step.run(model, real);
  return { model, real };
}

/** It says that it is at the gate a moment before it stands still. */
async function untilStopped(pid: number): Promise<void> {
  const isStopped = () => / T \d/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  await eventually(isStopped, { what: `process ${pid} at the gate`, limitMs: BACK_LIMIT_MS });
}

async function untilBack(victim: Part, standalone: RunningStandalone): Promise<void> {
  const isBack = () => standalone.findPid(victim).then(Boolean, () => false);
  await eventually(isBack, { what: `the ${victim}`, limitMs: BACK_LIMIT_MS });
}
