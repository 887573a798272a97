import { describe, expect, it } from 'vitest';
import type { LiveAggregates } from '#event-store';
import { createAppDirectory } from './app-directory.js';

const NOW = '2027-01-31T10:00:00.000Z';

/** The states of memory and of the store, by category. */
function create(memory: Record<string, unknown>, stored: Record<string, unknown> = {}) {
  const recall = ({ category }: { category: string }) =>
    category in memory ? { state: memory[category] } : undefined;
  const live = {
    get: async ({ category }: { category: string }) => ({ state: memory[category] }),
    refresh: async ({ category }: { category: string }) => ({ state: stored[category] }),
    recall,
    onChange: () => () => undefined,
  } as unknown as LiveAggregates;
  return createAppDirectory({ live, clock: { now: () => NOW } });
}

describe('an endpoint', () => {
  const enabled = { status: 'enabled', state: 'enabled', endpointId: 'whe_1' };

  it('that memory takes for none is looked for in the store: another process may have known it first', async () => {
    const apps = create({ webhook_endpoint: { status: 'none' } }, { webhook_endpoint: enabled });
    expect(await apps.findEndpoint('whe_1')).toMatchObject({ endpointId: 'whe_1' });
  });

  it('that is deleted is so for good, and nothing is asked', async () => {
    const deleted = { ...enabled, status: 'deleted' };
    const apps = create({ webhook_endpoint: deleted }, { webhook_endpoint: enabled });
    expect(await apps.findEndpoint('whe_1')).toBeUndefined();
  });
});

describe('the endpoints of an app', () => {
  it('are those of memory: at once where nothing has changed, and made anew where one has', async () => {
    const endpoint = { status: 'enabled', endpointId: 'whe_1' };
    const memory: Record<string, unknown> = {
      endpoint_list: { endpointIds: ['whe_1'] },
      webhook_endpoint: endpoint,
    };
    const apps = create(memory);
    const listed = await apps.listEndpoints('app_1');
    expect(listed).toMatchObject([{ endpointId: 'whe_1', state: 'enabled' }]);
    expect(apps.listEndpoints('app_1')).toBe(listed);
    memory['webhook_endpoint'] = { ...endpoint, status: 'disabled' };
    expect(await apps.listEndpoints('app_1')).toMatchObject([{ state: 'disabled' }]);
    memory['endpoint_list'] = { endpointIds: [] };
    expect(await apps.listEndpoints('app_1')).toEqual([]);
  });
});

describe('the time of an app', () => {
  const advance = { target: NOW, standsAt: '2030-01-01T00:00:00.000Z' };
  const apps = create({ test_clock: { offsetMs: 0, advance, reached: null } });

  it('is that of its test clock, and of no clock that a production app could have', async () => {
    expect(await apps.now({ appId: 'app_1', environment: 'test' })).toBe(advance.standsAt);
    expect(await apps.now({ appId: 'app_1', environment: 'production' })).toBe(NOW);
  });
});
