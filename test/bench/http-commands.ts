import { signature } from '../support/api-client.js';
import { type CommandsTenant, IN_FLIGHT, SUBSCRIPTIONS_A_CONNECTION } from './commands-tenant.js';
import { type LoadRequest, loadOverHttp } from './http-load.js';
import type { RunningProgram } from '../support/program.js';

const ACTS = ['cancel', 'reactivate'] as const;
const BODY = '{}';

/** Cancels and reactivates one subscription after the other, each connection its own. */
export class HttpCommands {
  p99Ms = 0;
  /** How many requests each connection has had answered, so that a round continues the one before. */
  private readonly answered: number[] = Array.from({ length: IN_FLIGHT }, () => 0);

  constructor(
    private readonly url: string,
    private readonly tenant: CommandsTenant,
  ) {}

  async run(seconds: number): Promise<number> {
    const { perSecond, p99Ms } = await loadOverHttp({
      url: this.url,
      connections: IN_FLIGHT,
      seconds,
      requestsFor: (connection) => this.requestsFor(connection),
      onAnswer: (connection) => this.count(connection),
    });
    this.p99Ms = p99Ms;
    return perSecond;
  }

  private count(connection: number): void {
    this.answered[connection] = (this.answered[connection] ?? 0) + 1;
  }

  /**
   * A round begins with another subscription than the last one ended with, and with a cancel: it is
   * never refused.
   */
  private requestsFor(connection: number): LoadRequest[] {
    const signed = signature(this.tenant, BODY);
    const own = this.tenant.subscriptionIds.filter((_, index) => index % IN_FLIGHT === connection);
    const first = Math.ceil((this.answered[connection] ?? 0) / ACTS.length + 1) % own.length;
    return [...own.slice(first), ...own.slice(0, first)].flatMap((id) =>
      ACTS.map((act) => request(`/sdk/subscriptions/${id}/${act}`, signed)),
    );
  }
}

/** Appends by a bare route, one after the other to the streams of each connection. @returns how many a second. */
export async function loadBareCommands(
  { ready }: RunningProgram,
  seconds: number,
): Promise<number> {
  const requestsFor = (connection: number) =>
    Array.from({ length: SUBSCRIPTIONS_A_CONNECTION }, (_, n) =>
      request(`/${connection}x${n}`, ''),
    );
  const url = String(ready['url']);
  const { perSecond } = await loadOverHttp({ url, connections: IN_FLIGHT, seconds, requestsFor });
  return perSecond;
}

function request(path: string, signed: string): LoadRequest {
  const headers = { 'content-type': 'application/json', 'x-service-hmac-signature': signed };
  return { method: 'POST', path, headers, body: BODY };
}
