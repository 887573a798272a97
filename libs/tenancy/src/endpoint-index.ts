import type { WebhookEndpoint } from '#domain/webhook-endpoint';

/** A running endpoint: the settings that it was created with. */
export type RunningEndpoint = Exclude<WebhookEndpoint, { status: 'none' }>;

const NONE: readonly RunningEndpoint[] = [];

/** Endpoints by id and by app: each message asks for those of one app, however many apps there are. */
export class EndpointIndex {
  readonly #byId = new Map<string, RunningEndpoint>();
  readonly #byApp = new Map<string, readonly RunningEndpoint[]>();

  get(endpointId: string): RunningEndpoint | undefined {
    return this.#byId.get(endpointId);
  }

  /** Those of an app, in the order of their ids. */
  list(appId: string): readonly RunningEndpoint[] {
    return this.#byApp.get(appId) ?? NONE;
  }

  set(endpoint: RunningEndpoint): void {
    this.delete(endpoint.endpointId);
    this.#byId.set(endpoint.endpointId, endpoint);
    const others = this.list(endpoint.appId);
    this.#byApp.set(endpoint.appId, [...others, endpoint].sort(byId));
  }

  delete(endpointId: string): void {
    const endpoint = this.#byId.get(endpointId);
    if (endpoint === undefined) return;
    this.#byId.delete(endpointId);
    const left = this.list(endpoint.appId).filter((other) => other !== endpoint);
    if (left.length === 0) this.#byApp.delete(endpoint.appId);
    else this.#byApp.set(endpoint.appId, left);
  }
}

function byId(left: RunningEndpoint, right: RunningEndpoint): number {
  return left.endpointId < right.endpointId ? -1 : 1;
}
