import type { RunningEndpoint } from '#tenancy';

type Hidden = 'appId' | 'secrets' | 'rotatedAt' | 'enabledAt' | 'changedAt';

/** An endpoint as the management API shows it: without its secrets. */
export function renderEndpoint(endpoint: Omit<RunningEndpoint, Hidden>) {
  const { endpointId, url, eventTypes, accept, description, maxPerSecond } = endpoint;
  const { state, disabled, createdAt } = endpoint;
  return {
    id: endpointId,
    url,
    eventTypes: [...eventTypes],
    accept,
    description,
    maxPerSecond,
    state,
    disabledReason: disabled?.reason ?? '',
    disabledAt: disabled?.disabledAt ?? '',
    createdAt,
  };
}
