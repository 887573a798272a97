import type { CreatedApp } from '#domain/app';
import { Partitions } from '#event-store';
import type { ReadModels } from '#projection-engine';
import type { TimeRange } from '#projection-engine/define';
import type { DueDate } from '#projections';
import type { AppDirectory } from '#tenancy';
import type { DueDates } from '../due-dates.js';
import type { PendingCharges } from '../pending-charges.js';
import { DueDateIntake } from '../due-date-intake.js';
import { DueDatesUnderWay } from '../due-dates-under-way.js';
import { Scheduler } from '../scheduler.js';
import { type AdvancedClocks, TestAppLooks } from '../test-app-looks.js';
import { ProgressNotifier } from '../../feed/progress-notifier.js';
import { at, createLease, silent } from '../../spec-support/fakes.js';

export const due = (
  subjectId: string,
  appId = 'app_1',
  dueAt = '2026-01-31T00:00:00.000Z',
  revision = 0,
): DueDate => ({ appId, subjectId, dueAt, revision });
interface Fakes {
  /** Apps with a test clock, and its time. */
  readonly clocks?: Readonly<Record<string, string>>;
  readonly advancing?: readonly string[];
  /** The due dates by the wall clock, and in each test app. */
  readonly all?: readonly DueDate[];
  readonly inTestApps?: Readonly<Record<string, readonly DueDate[]>>;
  readonly process?: (subjectId: string) => Promise<void>;
  /** Whether a charge is asked for, whose outcome comes later. */
  readonly charges?: boolean;
}

/** A scheduler over lists of due dates that never change by themselves. */
export function createScheduler(fakes: Fakes = {}) {
  const { clocks = {}, advancing = [], all = [due('sub_1')], inTestApps = {} } = fakes;
  const done: string[] = [];
  const dueDates = {
    process: async ({ subjectId }: DueDate, at: { by: string }) => {
      await fakes.process?.(subjectId);
      done.push(`${subjectId} ${at.by}`);
      return { paymentId: fakes.charges === true ? `pay of ${subjectId}` : null };
    },
  } as unknown as DueDates;
  const part = (list: readonly DueDate[], { from = '', limit, offset = 0 }: TimeRange) =>
    list.filter(({ dueAt }) => dueAt >= from).slice(offset, offset + limit);
  const queries = {
    all: async (range: TimeRange) => part(all, range),
    inTestApp: async (appId: string, range: TimeRange) => {
      const list = inTestApps[appId];
      if (list === undefined) throw new Error('Redis is away');
      return part(list, range);
    },
  };
  const readModels = { ask: () => queries, watermark: async () => at(1) };
  const toApp = (appId: string) => ({ appId, environment: 'test' }) as CreatedApp;
  const directory = {
    find: async (appId: string) => (appId === 'app_gone' ? undefined : toApp(appId)),
    now: async ({ appId }: CreatedApp) => clocks[appId] ?? '2026-02-01T00:00:00.000Z',
    testClock: async (appId: string) => ({ advance: advancing.includes(appId) ? {} : null }),
  } as unknown as AppDirectory;
  const notifier = new ProgressNotifier();
  const moved: AdvancedClocks = {
    has: (appId) => appId in clocks,
    follow: (onClock) => {
      for (const appId of Object.keys(clocks)) onClock(appId, false);
      return () => undefined;
    },
  };
  const looks = new TestAppLooks(moved, notifier);
  looks.onModuleInit();
  looks.follow();
  const news = new Map<string, () => void>();
  const pending: Pick<PendingCharges, 'beginNews'> = {
    beginNews: () => ({
      waitFor: (paymentId) => new Promise<void>((resolve) => news.set(paymentId, resolve)),
      end: () => undefined,
    }),
  };
  const underWay = new DueDatesUnderWay(pending as PendingCharges, new Partitions(1));
  const intake = new DueDateIntake(dueDates, directory, underWay, silent);
  const scheduler = new Scheduler(
    readModels as unknown as Pick<ReadModels, 'ask' | 'watermark'>,
    directory,
    looks,
    intake,
    createLease(),
    silent,
  );
  return { scheduler, done, news };
}
