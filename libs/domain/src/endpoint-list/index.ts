import { accept, type Decision, defineAggregate, unknownEvent } from '../decider/index.js';
import type { DomainEvent } from '../event/index.js';

/**
 * Which endpoints an app may have (decision 0011). An id is listed before its endpoint is created, and stays
 * behind when that is deleted: whether an endpoint is there is said by its own stream alone, so that a crash
 * between the two acts leaves nothing to heal.
 */
export type EndpointsListed = DomainEvent<
  'endpoint_list.listed.v1',
  { readonly endpointIds: readonly string[] }
>;
export type EndpointsUnlisted = DomainEvent<
  'endpoint_list.unlisted.v1',
  { readonly endpointIds: readonly string[] }
>;
export type EndpointListEvent = EndpointsListed | EndpointsUnlisted;

interface EndpointList {
  /** In the order in which they were listed. */
  readonly endpointIds: readonly string[];
}

export interface ListEndpoints {
  readonly kind: 'ListEndpoints';
  readonly endpointIds: readonly string[];
  /** Those that are known to be gone for good. */
  readonly gone: readonly string[];
}

const emptyEndpointList: EndpointList = { endpointIds: [] };

/** Folds one event of a list. */
function evolveEndpointList(state: EndpointList, event: EndpointListEvent): EndpointList {
  switch (event.type) {
    case 'endpoint_list.listed.v1':
      return { endpointIds: [...state.endpointIds, ...event.data.endpointIds] };
    case 'endpoint_list.unlisted.v1': {
      const gone = new Set(event.data.endpointIds);
      return { endpointIds: state.endpointIds.filter((id) => !gone.has(id)) };
    }
    default:
      return unknownEvent(state, event);
  }
}

/** Decides for the list of one app: an endpoint is listed once. */
function decideEndpointList(
  command: ListEndpoints,
  { endpointIds }: EndpointList,
): Decision<EndpointListEvent, never> {
  const known = new Set(endpointIds);
  const isWanted = new Set(command.endpointIds);
  const toList = [...isWanted].filter((id) => !known.has(id));
  const toUnlist = [...new Set(command.gone)].filter((id) => known.has(id) && !isWanted.has(id));
  const events: EndpointListEvent[] = [];
  if (toUnlist.length > 0) {
    events.push({ type: 'endpoint_list.unlisted.v1', data: { endpointIds: toUnlist } });
  }
  if (toList.length > 0) {
    events.push({ type: 'endpoint_list.listed.v1', data: { endpointIds: toList } });
  }
  return accept(...events);
}

export const endpointListAggregate = defineAggregate('endpoint_list', {
  initialState: emptyEndpointList,
  evolve: evolveEndpointList,
  decide: decideEndpointList,
});
