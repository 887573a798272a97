import { describe, expect, it } from '@jest/globals';
import { EndpointIndex, type RunningEndpoint } from './endpoint-index.js';

function endpoint(appId: string, endpointId: string, url = 'https://x.test'): RunningEndpoint {
  return {
    ...{ endpointId, appId, url, eventTypes: ['*'], accept: '2xx', sealedSecret: 'sealed' },
    ...{ createdAt: '2026-01-01T00:00:00.000Z', status: 'enabled' },
  };
}

describe('the index of endpoints', () => {
  it('lists those of one app, in the order of their ids', () => {
    const index = new EndpointIndex();
    for (const id of ['whe_3', 'whe_1', 'whe_2']) index.set(endpoint('app_1', id));
    index.set(endpoint('app_2', 'whe_4'));
    const listIds = (appId: string) => index.list(appId).map(({ endpointId }) => endpointId);
    expect(listIds('app_1')).toEqual(['whe_1', 'whe_2', 'whe_3']);
    expect(listIds('app_2')).toEqual(['whe_4']);
    expect(listIds('app_3')).toEqual([]);
    index.delete('whe_2');
    index.delete('whe_4');
    index.delete('whe_unknown');
    expect([listIds('app_1'), listIds('app_2')]).toEqual([['whe_1', 'whe_3'], []]);
    expect([index.get('whe_1')?.appId, index.get('whe_2')]).toEqual(['app_1', undefined]);
  });

  it('has an endpoint once, as it was set last', () => {
    const index = new EndpointIndex();
    index.set(endpoint('app_1', 'whe_1'));
    index.set(endpoint('app_1', 'whe_1', 'https://y.test'));
    expect(index.list('app_1').map(({ url }) => url)).toEqual(['https://y.test']);
    expect(index.get('whe_1')?.url).toBe('https://y.test');
  });

  it('looks at no other app', () => {
    const index = new EndpointIndex();
    for (let app = 0; app < 1_000; app += 1) index.set(endpoint(`app_${app}`, `whe_${app}`));
    const listed = index.list('app_7');
    index.set(endpoint('app_8', 'whe_new'));
    index.delete('whe_9');
    // It is kept as it was, and not made anew from all there are.
    expect(index.list('app_7')).toBe(listed);
  });
});
