import type { RunningEndpoint } from '#tenancy';

/** An endpoint as the management API shows it: without its secret. */
export function renderEndpoint(endpoint: Omit<RunningEndpoint, 'sealedSecret'>) {
  const { endpointId, url, eventTypes, accept, status, createdAt } = endpoint;
  return { id: endpointId, url, eventTypes: [...eventTypes], accept, state: status, createdAt };
}
