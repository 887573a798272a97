import { appAggregate } from '#domain/app';
import { toMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import { testClockAggregate, testClockNow, type TestClockRejection } from '#domain/test-clock';
import {
  type CommandExecutor,
  createCommandExecutor,
  type ExecutorRejection,
  type LedgerStore,
} from '#event-store';
import { newUuid, sleep, wallClock } from '#platform';
import { CliError } from '../cli-error.js';
import { type ShareBar, withBar } from '../progress-bar.js';

const POLL_MS = 100;
/** A step waits for read models and charges, for some ten seconds each; longer than this, no worker is at it. */
const STEP_LIMIT_MS = 60_000;

export interface AdvancedClock {
  readonly appId: string;
  /** The time on the clock: the target, or later. */
  readonly now: Instant;
  /** The dates at which it stood still on its way, since this began to look. */
  readonly steps: number;
}

/**
 * Lets time pass in a test app (rules/lifecycle 9), and shows each step that workers make. A run that is ended leaves
 * the clock on its way; the same one again goes on showing it.
 *
 * @throws CliError where it is refused, or no worker moves it for a minute; Fault.
 */
export async function advanceClock(
  store: LedgerStore,
  appId: string,
  to: Instant,
): Promise<AdvancedClock> {
  await store.namespaces.require();
  const commands = createCommandExecutor(store);
  await requireTestApp(commands, appId);
  const before = await commands.load(testClockAggregate, appId);
  const wallNow = wallClock.now();
  const from = testClockNow(before.state, wallNow);
  const command = { kind: 'RequestAdvance', appId, to, wallNow } as const;
  const result = await commands.execute(testClockAggregate, appId, command, {
    ...{ appId, environment: 'test', actor: 'cli', correlationId: newUuid(), now: from },
  });
  if (!result.accepted) throw refused(result.rejection, from);
  const begun = { appId, from, revision: result.revision };
  return withBar('advancing', (bar) => untilReached(commands, begun, bar));
}

async function requireTestApp(commands: CommandExecutor, appId: string): Promise<void> {
  const { state: app } = await commands.load(appAggregate, appId);
  if (app.status !== 'created') throw new CliError(`There is no app ${appId}.`);
  if (app.environment === 'test') return;
  const message = 'Only an app of the environment test has a test clock.';
  throw new CliError(message, 'refused', [], 'NOT_A_TEST_APP');
}

async function untilReached(
  commands: CommandExecutor,
  begun: { readonly appId: string; readonly from: Instant; readonly revision: number },
  bar: ShareBar,
): Promise<AdvancedClock> {
  const { appId, from } = begun;
  let [revision, movedAtMs] = [begun.revision, performance.now()];
  for (;;) {
    const clock = await commands.load(testClockAggregate, appId);
    const { advance } = clock.state;
    const now = testClockNow(clock.state, wallClock.now());
    // Its last event is that the target was reached.
    if (advance === null)
      return { appId, now, steps: Math.max(0, clock.revision - begun.revision - 1) };
    if (clock.revision !== revision) movedAtMs = performance.now();
    ({ revision } = clock);
    if (performance.now() - movedAtMs > STEP_LIMIT_MS) throw stuck(now);
    bar.draw(shareDone(from, advance.standsAt, advance.target));
    await sleep(POLL_MS);
  }
}

function shareDone(from: Instant, standsAt: Instant, target: Instant): number {
  const whole = toMilliseconds(target) - toMilliseconds(from);
  return whole <= 0 ? 1 : (toMilliseconds(standsAt) - toMilliseconds(from)) / whole;
}

function stuck(now: Instant): CliError {
  const message = `The clock has stood at ${now} for a minute: is a worker up? The same command goes on.`;
  return new CliError(message, 'unreachable', [], 'CLOCK_STANDS_STILL');
}

function refused({ code }: TestClockRejection | ExecutorRejection, from: Instant): CliError {
  const sentences: Readonly<Record<string, readonly [message: string, reason: string]>> = {
    'test_clock/backwards': [
      `The clock shows ${from}, and never goes back.`,
      'TEST_CLOCK_BACKWARDS',
    ],
    'test_clock/too_far': ['One call covers ten years at most.', 'TEST_CLOCK_TOO_FAR'],
    'test_clock/beyond_calendar': ['Dates end with the year 9999.', 'INVALID_FIELDS'],
  };
  const [message, reason] = sentences[code] ?? [];
  if (message === undefined) throw new Error(`an advance was refused as ${code}`);
  return new CliError(message, 'refused', [], reason);
}
