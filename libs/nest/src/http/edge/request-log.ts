import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '#platform';
import { UNKNOWN_ROUTE } from './request-metrics.js';

/** A request that takes this long is worth a line: reads take milliseconds, and commands tens of them. */
export const SLOW_MS = 1_000;

type Answered = Pick<FastifyRequest, 'id' | 'method' | 'caller'>;

/**
 * Logs answered requests: failures of ours and slow ones at `info`, all others at `debug` (rules/running
 * 12). The line has the route and never the address, which may carry a player's id or a link's.
 */
export function createRequestLog(log: Log) {
  const isDetailed = log.isLevelEnabled('debug');
  return (
    request: Answered,
    { statusCode: status }: Pick<FastifyReply, 'statusCode'>,
    route: string | undefined,
    tookMs: number,
  ): void => {
    const isNotable = status >= 500 || tookMs >= SLOW_MS;
    if (!isNotable && !isDetailed) return;
    const line = describe(request, status, route, tookMs);
    if (isNotable) log.info(line, 'request answered');
    else log.debug(line, 'request answered');
  };
}

/** A caller is named by its kind and app, not as a person. */
function describe(
  { id, method, caller }: Answered,
  status: number,
  route: string | undefined,
  tookMs: number,
) {
  return {
    requestId: id,
    method,
    route: route ?? UNKNOWN_ROUTE,
    status,
    durationMs: Math.round(tookMs * 10) / 10,
    caller: caller?.kind ?? 'unknown',
    ...(caller !== undefined && caller.kind !== 'operator' && { appId: caller.appId }),
  };
}
