import { type LoadRequest, loadOverHttp } from './http-load.js';
import { readSpentMs } from './spent.js';

export const CONNECTIONS = 32;

/** A server under load: where, and as which process. */
export interface Server {
  readonly url: string;
  readonly pid: number;
}

export interface Rate {
  readonly answers: number;
  readonly perSecond: number;
  /** Processor time an answer, in milliseconds. */
  readonly cpuMs: number;
}

/**
 * Sends requests in turn, while this process does not sleep. On loopback the sender wakes the receiver, and waking a
 * processor of a virtual machine costs a server up to half of the cost of an answer, the slower the server the more
 * often. A client on another machine would not be its business.
 *
 * @param from where in the list of requests the first connection begins; the others begin far apart, so that a request
 * comes again only when all others have come.
 */
export async function loadAwake(
  { url, pid }: Server,
  requests: readonly LoadRequest[],
  seconds: number,
  from = 0,
): Promise<Rate> {
  const requestsFor = (connection: number) => {
    const first =
      (from + Math.floor((connection * requests.length) / CONNECTIONS)) % requests.length;
    return [...requests.slice(first), ...requests.slice(0, first)];
  };
  const spentBeforeMs = readSpentMs(pid);
  const sleepAgain = stayAwake();
  const load = { url, connections: CONNECTIONS, seconds, requestsFor };
  const { perSecond } = await loadOverHttp(load).finally(sleepAgain);
  const answers = Math.round(perSecond * seconds);
  return { answers, perSecond, cpuMs: (readSpentMs(pid) - spentBeforeMs) / answers };
}

/** @returns the function that ends it. */
function stayAwake(): () => void {
  let isAwake = true;
  const turn = () => {
    if (isAwake) setImmediate(turn);
  };
  turn();
  return () => {
    isAwake = false;
  };
}
