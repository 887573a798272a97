import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { Fault } from '#platform';
import { destroy, type ResolvedTarget } from './socket.js';

/**
 * For so long after its last success a proxy is taken to be at fault. Where nothing has succeeded for longer, it may be
 * that all receivers are dead that anything is sent to: their attempts count, or they would be tried for ever.
 */
const AT_FAULT_FOR_MS = 3_600_000;

/** So many targets in a row, which have nothing to do with each other. */
const TARGETS_AT_FAULT = 2;

/**
 * Whether a failed connection is the proxy's own failure, or its target's: it answers 504, or nothing, for both. Where
 * several targets in a row fail so and none succeeds, it is the proxy (rules/http 1).
 */
export class ProxyWatch {
  readonly #failed = new Set<string>();
  #succeededAtMs = performance.now();

  succeeded(): void {
    this.#failed.clear();
    this.#succeededAtMs = performance.now();
  }

  /**
   * @param hostname of the target: the addresses and ports of one receiver are often dead together.
   * @returns whether the proxy has failed, and not the target.
   */
  failed(hostname: string): boolean {
    if (this.#failed.size < TARGETS_AT_FAULT) this.#failed.add(hostname);
    const isLately = performance.now() - this.#succeededAtMs < AT_FAULT_FOR_MS;
    return isLately && this.#failed.size >= TARGETS_AT_FAULT;
  }
}

/**
 * The operator's proxy failed, and not the target: nothing was sent there, and no attempt is used up
 * (rules/http 1).
 */
export class ProxyFailed extends Fault {
  constructor(why: string, cause?: unknown) {
    const message = `the proxy for webhooks ${why}`;
    super('unavailable', message, { retryable: true, ...(cause !== undefined && { cause }) });
  }
}

/** The proxy works, and says that it does not reach the target, or may not. */
class NotProxied extends Error {
  readonly code = 'ERR_NOT_PROXIED';

  constructor(status: number) {
    super(`the proxy answered ${status} when it was asked to connect to the receiver`);
    this.name = 'NotProxied';
  }
}

/** The answers of a proxy about itself: authentication, too many, a defect. All else it says of the target. */
const OF_ITSELF: ReadonlySet<number> = new Set([407, 429, 500, 501, 505]);
/** Its answers for a target that it does not reach, and where it reaches none. */
const NOT_REACHED: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * A connection through a proxy, which is given the address that was checked and never asked to resolve a
 * name. Its first address alone is tried: v4 where there is one, which proxies reach most likely.
 *
 * @throws ProxyFailed, NotProxied, or the signal's reason.
 */
export async function openTunnel(
  proxy: URL,
  { hostname, addresses, port }: ResolvedTarget,
  signal: AbortSignal,
  watch: ProxyWatch,
) {
  const remoteAddress = addresses[0]?.address ?? '';
  const path = `${isIPv6(remoteAddress) ? `[${remoteAddress}]` : remoteAddress}:${port}`;
  const { status, socket } = await ask(proxy, path, signal).catch((error: unknown) => {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    throw isLate && watch.failed(hostname) ? new ProxyFailed('connects to nothing', error) : error;
  });
  if (status >= 200 && status < 300) {
    watch.succeeded();
    return { socket, remoteAddress };
  }
  destroy(socket);
  if (OF_ITSELF.has(status)) throw new ProxyFailed(`answered ${status}`);
  const failure = new NotProxied(status);
  if (NOT_REACHED.has(status) && watch.failed(hostname)) {
    throw new ProxyFailed('connects to nothing', failure);
  }
  throw failure;
}

async function ask(proxy: URL, path: string, signal: AbortSignal) {
  const { hostname, port, username, password } = proxy;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const asked = request({
    ...{ method: 'CONNECT', path, agent: false },
    ...{ host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 80 : Number(port) },
    headers: { host: path, ...(username !== '' && { 'proxy-authorization': authorization }) },
  });
  asked.end();
  try {
    // Node.js gives these with the event.
    const [answer, socket] = (await once(asked, 'connect', { signal })) as [
      IncomingMessage,
      Socket,
    ];
    return { status: answer.statusCode ?? 0, socket };
  } catch (error) {
    const isReached = asked.socket?.connecting === false;
    asked.on('error', () => undefined);
    asked.destroy();
    // A proxy that was reached and says nothing is connecting: it is the target that does not answer, unless none does.
    if (signal.aborted && isReached) throw signal.reason;
    throw new ProxyFailed(signal.aborted ? 'did not answer' : 'is out of reach', error);
  }
}
