import { describe, expect, it } from '@jest/globals';
import type { Instant } from '#domain/event';
import type { CommandExecutor } from '#event-store';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import { FAILING_DISABLES_AFTER_MS } from '../limits.js';
import { silent } from '../spec-support/fakes.js';
import { EndpointDisabling } from './endpoint-disabling.js';

const CREATED: Instant = '2027-01-01T00:00:00.000Z';
const T0 = Date.parse('2027-01-10T00:00:00.000Z');

/** An endpoint that fails, seen so long after the first failure. */
function create(afterMs: number) {
  const executed: unknown[] = [];
  const commands = {
    execute: async (_aggregate: unknown, _id: string, command: object) => {
      executed.push(command);
      return { accepted: true, state: { status: 'disabled' } };
    },
  };
  const apps = { find: async () => ({ environment: 'test' }) };
  const clock = { now: () => new Date(T0 + afterMs).toISOString() };
  const disabling = new EndpointDisabling(
    // What is not looked at here is left out.
    commands as unknown as CommandExecutor,
    apps as unknown as AppDirectory,
    clock,
    silent,
  );
  const see = (enabledAt = CREATED, isGone = false, changedAt = CREATED) => {
    const seen = { endpointId: 'whe_1', appId: 'app_1', url: 'https://a.test/' };
    const endpoint = { ...seen, enabledAt, changedAt } as RunningEndpoint;
    const failing = { sinceMs: T0, failures: 9, openUntilMs: 0 };
    return disabling.disableIfDue({ endpoint, isGone, reason: 'it answered 500' }, failing);
  };
  return { see, executed };
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
