import { type Command, Redis as Server, type RedisOptions } from 'ioredis';
import { jitteredDelayMs, parseRedisAddress } from '#platform';
import { type ClusterAddress, LedgerCluster } from './cluster.js';
import { DemotionWatch } from './demotion.js';
import { noteConnectionProblem } from './reply.js';

type Sent = Parameters<Server['sendCommand']>;

/**
 * A connection whose commands of one turn of the event loop leave in one write. The library's own way of that, automatic
 * pipelines, keeps each pipeline with its commands and answers until V8 collects its old memory: a property is defined
 * on it by a function of its own, so that V8 makes a form of objects for it that lives there. It also holds back all that
 * comes while a pipeline is answered.
 */
class GatheringServer extends Server {
  override sendCommand(
    command: Command,
    ...into: Sent extends [unknown, ...infer Rest] ? Rest : []
  ) {
    const { stream } = this;
    // There is none before the first attempt to connect.
    if ((stream as typeof stream | undefined)?.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return super.sendCommand(command, ...into);
  }
}

/**
 * A connection for BullMQ's workers: each call ends within a limit. The connection that a worker duplicates for the one
 * call that blocks is the library's own and has none, since the library's `commandTimeout` would end that call, too.
 */
export class LimitedServer extends Server {
  callLimitMs: number | undefined;

  override sendCommand(
    command: Command,
    ...into: Sent extends [unknown, ...infer Rest] ? Rest : []
  ) {
    if (this.callLimitMs !== undefined) command.setTimeout(this.callLimitMs);
    return super.sendCommand(command, ...into);
  }
}

/** A connection to one server, or to all masters of a Redis Cluster: commands are the same for both. */
export type Redis = Server | LedgerCluster;

/** The waits of a connection, and their number. */
export interface ConnectionLimits extends Pick<
  RedisOptions,
  'autoResubscribe' | 'commandTimeout' | 'connectTimeout' | 'maxRetriesPerRequest'
> {
  /** Whether commands to one server in one turn of the event loop leave in one write. */
  readonly gathersWrites?: boolean | undefined;
  /** As `commandTimeout`, for a connection that BullMQ duplicates for a call that blocks: that one has no limit. */
  readonly callLimitMs?: number | undefined;
}

/** Between attempts to connect: soon enough to be back with Redis, seldom enough not to hammer it. */
const RECONNECT_BASE_MS = 20;
const RECONNECT_CAP_MS = 500;
/** A Redis that reads its file at its start is asked so often whether it is through; the library's own is a second. */
const LOADING_ASKED_EVERY_MS = 50;

/**
 * How often a cluster's nodes are asked which of them has which slots. A node that hangs breaks no connection and sends
 * no redirection; its place may be another one's by now, also for a call that blocks on it.
 */
const SLOTS_ASKED_EVERY_MS = 5_000;

/**
 * A connection that comes back by itself.
 *
 * @param url as `parseRedisAddress` reads it: of one server, or of the nodes of a cluster.
 */
export function openRedis(url: string, limits: ConnectionLimits): Redis {
  const address = parseRedisAddress(url);
  const redis =
    address.kind === 'cluster'
      ? openCluster(address, limits)
      : openServer(toServerAddress(address.url), limits);
  // Every command that fails says so to its caller; without a listener the library prints as well.
  redis.on('error', noteConnectionProblem);
  return redis;
}

function openServer(
  address: string,
  { gathersWrites, callLimitMs, ...limits }: ConnectionLimits,
): Server {
  // A connection that never waits for another one would lose the refusal for an error of its own.
  const demotion = new DemotionWatch(limits.maxRetriesPerRequest !== 0);
  const options = {
    ...limits,
    retryStrategy: (times: number) => delayReconnect(Math.max(times, demotion.attempts)),
    reconnectOnError: demotion.reconnectOnError,
    maxLoadingRetryTime: LOADING_ASKED_EVERY_MS,
  };
  const server =
    callLimitMs !== undefined
      ? Object.assign(new LimitedServer(address, options), { callLimitMs })
      : new (gathersWrites === true ? GatheringServer : Server)(address, options);
  // The library leaves a demoted server with a listener for each refused call: all of them end with the connection.
  return server.on('connect', () => server.stream.setMaxListeners(0));
}

function openCluster(
  address: ClusterAddress,
  { gathersWrites: _gathersWrites, callLimitMs, ...limits }: ConnectionLimits,
): LedgerCluster {
  const cluster = new LedgerCluster([...address.nodes], {
    clusterRetryStrategy: delayReconnect,
    slotsRefreshInterval: SLOTS_ASKED_EVERY_MS,
    // Names are looked up when a connection is made, so that a certificate is compared with the name.
    dnsLookup: (host, done) => done(null, host),
    redisOptions: {
      ...{ ...limits, ...toNodeOptions(address) },
      maxLoadingRetryTime: LOADING_ASKED_EVERY_MS,
    },
  });
  cluster.callLimitMs = callLimitMs ?? limits.commandTimeout;
  cluster.on('node error', noteConnectionProblem);
  return cluster;
}

function delayReconnect(times: number): number {
  return 1 + Math.ceil(jitteredDelayMs(times, RECONNECT_BASE_MS, RECONNECT_CAP_MS));
}

/** The address of one server as the library reads it: the path of a socket has no scheme. */
export function toServerAddress(url: string): string {
  return url.replace(/^unix:(\/\/)?/, '');
}

/** The library's options for a connection to any node of a cluster. */
export function toNodeOptions({ username, password, isSecure }: ClusterAddress) {
  return {
    ...(username && { username }),
    ...(password && { password }),
    ...(isSecure && { tls: {} }),
  };
}
