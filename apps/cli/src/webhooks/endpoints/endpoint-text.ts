/** An endpoint as the API tells it. */
export interface ToldEndpoint {
  readonly id: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly accept: string;
  readonly description: string;
  readonly maxPerSecond: number | null;
  readonly state: string;
  readonly disabledReason: string;
  readonly disabledAt: string;
  readonly createdAt: string;
}

/** An endpoint for people, one line for each of its settings. */
export function describeEndpoint(endpoint: ToldEndpoint): string {
  const { id, url, eventTypes, accept, description, maxPerSecond, createdAt } = endpoint;
  return [
    `${id}: ${describeState(endpoint)}`,
    `Address: ${url}`,
    `Types: ${eventTypes.join(', ')}`,
    `Success: ${accept}`,
    `Attempts a second: ${maxPerSecond ?? 'no bound'}`,
    ...(description === '' ? [] : [`Description: ${description}`]),
    `Created: ${createdAt}`,
  ].join('\n');
}

function describeState({ state, disabledReason, disabledAt }: ToldEndpoint): string {
  return disabledReason === '' ? state : `${state} (${disabledReason}) since ${disabledAt}`;
}
