import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { endpointListAggregate, type EndpointListEvent } from './index.js';

const { decider } = endpointListAggregate;
const listed = (...endpointIds: string[]): EndpointListEvent => ({
  type: 'endpoint_list.listed.v1',
  data: { endpointIds },
});
const unlisted = (...endpointIds: string[]): EndpointListEvent => ({
  type: 'endpoint_list.unlisted.v1',
  data: { endpointIds },
});
const list = (endpointIds: readonly string[], gone: readonly string[] = []) =>
  ({ kind: 'ListEndpoints', endpointIds, gone }) as const;

describe('the list of the endpoints of an app', () => {
  it('has each id once, in the order in which they came', () => {
    expect(given(decider).when(list(['whe_2', 'whe_1', 'whe_2']))).toEqual([
      listed('whe_2', 'whe_1'),
    ]);
    expect(given(decider, listed('whe_2')).when(list(['whe_2']))).toEqual([]);
    expect(given(decider, listed('whe_2'), listed('whe_1')).state).toEqual({
      endpointIds: ['whe_2', 'whe_1'],
    });
  });

  it('lets go of those that are gone, and of no other', () => {
    const before = given(decider, listed('whe_1', 'whe_2'));
    expect(before.when(list(['whe_3'], ['whe_1', 'whe_1', 'whe_9']))).toEqual([
      unlisted('whe_1'),
      listed('whe_3'),
    ]);
    expect(before.when(list(['whe_1'], ['whe_1']))).toEqual([]);
    expect(given(decider, listed('whe_1', 'whe_2'), unlisted('whe_1')).state).toEqual({
      endpointIds: ['whe_2'],
    });
  });

  it('stays as it is at an event that a newer release has written', () => {
    const newer = { type: 'endpoint_list.sorted.v1', data: {} } as unknown as EndpointListEvent;
    expect(given(decider, listed('whe_1'), newer).state).toEqual({ endpointIds: ['whe_1'] });
  });
});
