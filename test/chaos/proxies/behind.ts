import { type Answer, type ApiClient, bearer } from '../../support/api-client.js';
import { requireProxy, type RunningProxy, startProxy } from '../../support/proxy.js';
import type { ProxyName } from '../../support/proxy/page.js';
import type { Findings } from '../full-disk/findings.js';

/** Whether a proxy can give JSON in our place, as its section of `docs/operations.md` says. */
const GIVES_JSON: Readonly<Record<ProxyName, boolean>> = {
  nginx: true,
  apache: true,
  haproxy: true,
  varnish: true,
  lighttpd: false,
  caddy: true,
  squid: false,
};

/** An operator who calls through one proxy. */
export interface Behind {
  readonly name: ProxyName;
  readonly givesJson: boolean;
  readonly proxy: RunningProxy;
  readonly operator: ApiClient;
}

/** Starts all proxies before a port. One that is not there, or does not start, is a finding. */
export async function startAll(
  upstreamPort: number,
  token: string,
  findings: Findings,
): Promise<readonly Behind[]> {
  const started: Behind[] = [];
  for (const [key, givesJson] of Object.entries(GIVES_JSON)) {
    // The keys of the record are these names.
    const name = key as ProxyName;
    try {
      requireProxy(name);
      const proxy = await startProxy(name, { upstreamPort });
      started.push({ name, givesJson, proxy, operator: bearer(proxy.baseUrl, token) });
    } catch (error) {
      findings.add(`${name} cannot be tried`, String(error));
    }
  }
  return started;
}

/** An answer in one line, with the marks that tell ours from a proxy's. */
export function describeAnswer({ status, headers, body, text }: Answer): string {
  const kind = 'code' in body ? `code ${Number(body['code'])}` : headers.get('content-type');
  const from = headers.has('x-request-id') ? 'ours' : `its own: ${text.slice(0, 40)}`;
  return `${status}, ${kind}, Retry-After ${headers.get('retry-after')}, ${from}`;
}
