import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatedProgram } from '../../chaos/gates/gated-program.js';
import { ClockHistory, daysAfter } from './clock-history.js';
import { World } from './world.js';

const LIMIT_MS = 240_000;
/** The event that a worker is about to append when it is killed: a charge that was made, and one that was settled. */
const GATES = ['payment.captured.v1', 'subscription.renewed.v1'];

/** How far the clock goes, in days; a quarter more than whole ones, so that nothing is due where a clock rests. */
export interface Journey {
  readonly days: number;
  readonly stepDays: number;
  readonly leastEvents: number;
}

/** The tests of a time on a test clock, for a short one and for a year. */
export function describeClockHistory(name: string, { days: whole, ...journey }: Journey): void {
  describe(name, () => {
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
        for (let days = journey.stepDays + 0.25; days < whole; days += journey.stepDays) {
          await small.advanceTo(daysAfter(small.beganAt, days));
        }
        await small.advanceTo(daysAfter(small.beganAt, whole));
        const expected = await small.tell();
        expect(expected.length).toBeGreaterThan(journey.leastEvents);

        const atOnce = await ClockHistory.begin(world);
        await atOnce.advanceTo(daysAfter(atOnce.beganAt, whole));
        expect(await atOnce.tell()).toEqual(expected);

        const killed = await ClockHistory.begin(world);
        await killed.advanceTo(daysAfter(killed.beganAt, whole), async () => {
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
}
