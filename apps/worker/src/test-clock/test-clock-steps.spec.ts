import { expect, it } from 'vitest';
import type { CreatedApp } from '#domain/app';
import { Fault } from '#platform';
import type { ReadModels } from '#projection-engine';
import type { DueDate, PendingCharge } from '#projections';
import { at, createLease } from '../spec-support/fakes.js';
import type { ClockPart, ClockParts } from './clock-parts.js';
import type { DueDates } from '../billing-clock/due-dates.js';
import type { TestClockCharges } from './test-clock-charges.js';
import type { TestClockCommands } from './test-clock-commands.js';
import { TestClockSteps } from './test-clock-steps.js';

const STANDS_AT = '2026-02-01T00:00:00.000Z';
const TARGET = '2026-03-01T00:00:00.000Z';
const HOT = 'sub_hot';
const OTHERS = Array.from({ length: 50 }, (_, index) => `sub_${index}`);

/** The part of a clock in one partition; the first attempts at one subscription meet others' changes. */
function create(conflicts: number, pending: PendingCharge[] = [], atBound?: string) {
  const awaited: string[] = [];
  const changes = { at: '' };
  const processed: string[] = [];
  const answers: ClockPart[] = [];
  let left = conflicts;
  const dueDates = {
    process: async ({ subjectId }: DueDate) => {
      if (subjectId === HOT && left-- > 0) {
        throw new Fault('conflict', 'changed by others', { retryable: true });
      }
      processed.push(subjectId);
      const isAtBound = subjectId === atBound;
      return { paymentId: isAtBound ? 'pay_late' : null, position: at(9), isAtBound };
    },
  };
  const due: DueDate[] = [HOT, ...OTHERS].map((subjectId) => ({
    ...{ appId: 'app_1', subjectId },
    ...{ dueAt: STANDS_AT, revision: 3 },
  }));
  const steps = new TestClockSteps(
    {
      findAdvance: async () => ({ standsAt: STANDS_AT, target: TARGET }),
      findPosition: async () => at(1),
    } as unknown as TestClockCommands,
    dueDates as unknown as DueDates,
    {
      lastChangeAt: async () => changes.at,
      hasChangedSince: () => false,
      listLeftPending: () => [],
      waitForEnd: async ({ paymentId }: PendingCharge) => {
        awaited.push(paymentId);
        // Its job has not given it up the first time.
        if (awaited.length > 1) return at(10);
        throw new Fault('unavailable', 'no outcome yet', { retryable: true });
      },
      waitForAll: async (charges: readonly PendingCharge[]) => {
        awaited.push(...charges.map(({ paymentId }) => paymentId));
        return pending.splice(0).length > 0 ? at(8) : null;
      },
    } as unknown as TestClockCharges,
    {
      answer: async (_: string, part: ClockPart) => void answers.push(part),
    } as unknown as ClockParts,
    createLease(),
    {
      ask: () => ({ inTestApp: async () => due, pendingInTestApp: async () => [...pending] }),
      waitFor: async () => true,
      watermark: async () => at(1),
    } as unknown as ReadModels,
  );
  return { steps, processed, answers, awaited, changes, due };
}

it('a subscription that others keep changing holds the clock, and is done with no other again', async () => {
  const { steps, processed, answers } = create(2);
  const drive = steps.begin({ appId: 'app_1' } as CreatedApp);
  await expect(steps.look(drive)).rejects.toMatchObject({ code: 'conflict' });
  expect(processed.sort()).toEqual([...OTHERS].sort());
  await expect(steps.look(drive)).rejects.toMatchObject({ code: 'conflict' });
  expect(processed).toHaveLength(OTHERS.length);
  expect(answers).toEqual([]);
  await steps.look(drive);
  expect(processed.filter((id) => id === HOT)).toHaveLength(1);
  await steps.look(drive);
  expect(processed).toHaveLength(OTHERS.length + 1);
  expect(answers).toEqual([{ standsAt: STANDS_AT, target: TARGET, next: null, restsOn: [] }]);
});

it('what waits for the gateway is waited for first, whatever this process knows of it', async () => {
  const { steps, processed, answers, awaited } = create(0, [
    { paymentId: 'pay_1', subjectId: 'sub_1' },
  ]);
  const drive = steps.begin({ appId: 'app_1' } as CreatedApp);
  await steps.look(drive);
  expect([awaited, processed, answers, drive.seenAt]).toEqual([['pay_1'], [], [], at(8)]);
});

it('what has changed since it was shown is looked at anew, when it is shown', async () => {
  const { steps, processed, answers, changes } = create(0);
  changes.at = at(4);
  const drive = steps.begin({ appId: 'app_1' } as CreatedApp);
  await steps.look(drive);
  expect([processed, answers, drive.seenAt]).toEqual([[], [], at(4)]);
});

it('a charge at its bound holds the clock until it is settled or given up', async () => {
  const { steps, processed, answers, awaited } = create(0, [], HOT);
  const drive = steps.begin({ appId: 'app_1' } as CreatedApp);
  await expect(steps.look(drive)).rejects.toMatchObject({ code: 'unavailable' });
  await steps.look(drive);
  expect(awaited).toEqual(['pay_late', 'pay_late']);
  expect(answers).toEqual([]);
  expect(drive.seenAt).toBe(at(10));
  expect(processed.filter((id) => id === HOT)).toHaveLength(2);
  await steps.look(drive);
  expect(answers).toHaveLength(1);
});

it('a retry that is due at the instant of the charge before it is made there, too', async () => {
  const { steps, processed, answers, due } = create(0, [], HOT);
  const drive = steps.begin({ appId: 'app_1' } as CreatedApp);
  await expect(steps.look(drive)).rejects.toMatchObject({ code: 'unavailable' });
  await steps.look(drive);
  // The bank has declined at the bound, and the next retry is due at once.
  due.splice(0, 1, { appId: 'app_1', subjectId: HOT, dueAt: STANDS_AT, revision: 5 });
  await steps.look(drive);
  expect(processed.filter((id) => id === HOT)).toHaveLength(3);
  expect(answers).toEqual([]);
});
