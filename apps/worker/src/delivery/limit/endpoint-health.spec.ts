import { describe, expect, it, vi } from 'vitest';
import type { Instant } from '#domain/event';
import type { EndpointFailures } from '#worker-state';
import type { CommandExecutor } from '#event-store';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import { FAILING_DISABLES_AFTER_MS } from '../../limits.js';
import { nextTurn, silent } from '../../spec-support/fakes.js';
import { EndpointHealth } from './endpoint-health.js';
import type { EndpointLimiter } from './endpoint-limiter.js';

const CREATED: Instant = '2027-01-01T00:00:00.000Z';
const T0 = Date.parse('2027-01-10T00:00:00.000Z');

/** An endpoint that fails, seen so long after the first failure. */
function create(afterMs = 0) {
  const executed: unknown[] = [];
  const noted: string[] = [];
  const control = { isAway: false };
  const note = async (what: string) => {
    if (control.isAway) throw new Error('away');
    noted.push(what);
  };
  const shared: Partial<EndpointFailures> = {
    noteFailure: async () => (await note('failure'), { failures: 9, sinceMs: T0 }),
    noteSuccess: () => note('success'),
    noteChange: () => note('change'),
  };
  const limiter: Partial<EndpointLimiter> = {
    succeeded: async () => undefined,
    failed: async () => 0,
    changed: () => undefined,
  };
  const commands = {
    execute: async (_aggregate: unknown, _id: string, command: object) => {
      executed.push(command);
      return { accepted: true, state: { status: 'disabled' } };
    },
  };
  const apps = { find: async () => ({ environment: 'test' }) };
  const clock = { now: () => new Date(T0 + afterMs).toISOString() };
  const health = new EndpointHealth(
    // Fields that are not looked at here are left out.
    ...([limiter as EndpointLimiter, shared as EndpointFailures] as const),
    ...([commands as unknown as CommandExecutor, apps as unknown as AppDirectory] as const),
    ...([clock, silent] as const),
  );
  const see = (enabledAt = CREATED, isGone = false, changedAt = CREATED) => {
    const seen = { endpointId: 'whe_1', appId: 'app_1', url: 'https://a.test/' };
    const endpoint = { ...seen, enabledAt, changedAt } as RunningEndpoint;
    const attempt = { endpoint, isGone, reason: 'it answered 500', retryAfterMs: 0, tookMs: 5 };
    return health.failed('whe_1', attempt);
  };
  return { health, see, executed, noted, control };
}

describe('an endpoint that fails', () => {
  it('is disabled after five days of it, as it was seen', async () => {
    const { see, executed } = create(FAILING_DISABLES_AFTER_MS);
    expect(await see()).toBe(true);
    expect(executed).toMatchObject([
      {
        ...{ kind: 'DisableWebhookEndpoint', reason: 'failing' },
        seen: { url: 'https://a.test/', enabledAt: CREATED },
      },
    ]);
  });

  it('is not disabled before', async () => {
    const { see, executed } = create(FAILING_DISABLES_AFTER_MS - 1);
    expect([await see(), executed]).toEqual([false, []]);
  });

  it('has another five days when it was enabled meanwhile', async () => {
    const { see, executed } = create(FAILING_DISABLES_AFTER_MS);
    expect([await see(new Date(T0 + 1).toISOString()), executed]).toEqual([false, []]);
  });

  it('has another five days when it was changed meanwhile: it may be at another address', async () => {
    const { see, executed } = create(FAILING_DISABLES_AFTER_MS);
    expect([await see(CREATED, false, new Date(T0 + 1).toISOString()), executed]).toEqual([
      false,
      [],
    ]);
  });

  it('is disabled at once by a 410', async () => {
    const { see, executed } = create(0);
    expect(await see(CREATED, true)).toBe(true);
    expect(executed).toMatchObject([{ reason: 'gone' }]);
  });
});

describe('what all partitions know of an endpoint', () => {
  it('is a success after a failure, and else seldom', async () => {
    vi.useFakeTimers({
      toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    });
    const { health, see, noted } = create();
    for (let n = 0; n < 3; n += 1) await health.succeeded('whe_1');
    expect(noted).toEqual(['success']);
    await see();
    for (let n = 0; n < 3; n += 1) await health.succeeded('whe_1');
    expect(noted).toEqual(['success', 'failure', 'success']);
    vi.useRealTimers();
  });

  it('stops nothing where Redis does not take it, and a success is reported by the next one', async () => {
    const { health, see, noted, control } = create(FAILING_DISABLES_AFTER_MS);
    control.isAway = true;
    expect(await see()).toBe(false);
    await health.succeeded('whe_1');
    health.changed('whe_1');
    await nextTurn();
    control.isAway = false;
    await health.succeeded('whe_1');
    expect(noted).toEqual(['success']);
  });
});
