import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GatedProgram } from '../../chaos/gates/gated-program.js';
import { ClockHistory, daysAfter } from './clock-history.js';
import { World } from './world.js';

const LIMIT_MS = 240_000;
/** A year and the grace of what was due then; six hours later, so that nothing is due where a clock rests. */
const YEAR = 368.25;

/** What a worker is about to append when it is killed: a charge that was made, and one that was settled. */
const GATES = ['payment.captured.v1', 'subscription.renewed.v1'];

describe('a year on a test clock', () => {
  let world: World;
  let worker: GatedProgram;
  let folder: string;

  const startWorker = (name: string) => GatedProgram.start('worker', name, folder, world.env);

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'subledger-clock-'));
    world = await World.start({ appendOnly: true });
    worker = await startWorker('worker-0');
  });

  afterAll(async () => {
    await worker.kill();
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'has the same events in the same order in one call, in small steps, and with workers killed on the way',
    async () => {
      const small = await ClockHistory.begin(world);
      for (let days = 45.25; days < YEAR; days += 45) {
        await small.advanceTo(daysAfter(small.beganAt, days));
      }
      await small.advanceTo(daysAfter(small.beganAt, YEAR));
      const expected = await small.tell();
      // Each renewal is asked for, requested, captured and taken: 12 and 13 of them, and what is declined.
      expect(expected.length).toBeGreaterThan(25 * 4);

      const whole = await ClockHistory.begin(world);
      await whole.advanceTo(daysAfter(whole.beganAt, YEAR));
      expect(await whole.tell()).toEqual(expected);

      const killed = await ClockHistory.begin(world);
      await killed.advanceTo(daysAfter(killed.beganAt, YEAR), async () => {
        for (const [n, gate] of GATES.entries()) {
          worker.shut([gate]);
          await worker.untilHeld();
          await worker.kill();
          worker = await startWorker(`worker-${n + 1}`);
        }
      });
      expect(await killed.tell()).toEqual(expected);
    },
    LIMIT_MS,
  );
});
