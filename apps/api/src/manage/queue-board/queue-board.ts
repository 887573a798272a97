import type { IServerAdapter } from '@bull-board/api/typings/app';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { fastify, type FastifyInstance } from 'fastify';
import { type NamespaceIdentity, Partitions } from '#event-store';
import { LOG } from '#nest';
import type { Log } from '#platform';
import { openRedis, type Redis } from '#redis';
import { RETRY_QUEUE, workerKeys } from '#worker-state';
import type { ApiConfig } from '../../config.js';
import { CONFIG, LEDGER_IDENTITY } from '../../tokens.js';

/** A person looks at a page: an answer that takes longer is none. */
const CONNECTION_LIMITS = { connectTimeout: 2_000, commandTimeout: 5_000, maxRetriesPerRequest: 1 };

/** The queues of retries of all partitions, by the numbers of these. */
export interface RetryQueues {
  readonly queues: ReadonlyMap<number, Queue>;
  close(): void;
}

/** Opens them all by one connection. It writes nothing, not even BullMQ's notes about itself. */
async function openRetryQueues(
  redisUrl: string,
  { layoutId, partitions }: NamespaceIdentity,
  log: Log,
): Promise<RetryQueues> {
  // An API whose board is never asked for does without it.
  const { Queue } = await import('bullmq');
  const redis: Redis = openRedis(redisUrl, CONNECTION_LIMITS);
  // Each queue listens to the connection that it shares.
  redis.setMaxListeners(0);
  const queues = new Map<number, Queue>();
  for (const partition of new Partitions(partitions).numbers) {
    const { prefix } = workerKeys(layoutId, partition);
    const unchanged = { skipVersionCheck: true, skipMetasUpdate: true };
    const queue = new Queue(RETRY_QUEUE, { connection: redis, prefix, ...unchanged });
    // A call that fails says so to its caller, too.
    queue.on('error', (error) =>
      log.debug({ err: error }, 'the board of queues has no connection'),
    );
    queues.set(partition, queue);
  }
  return { queues, close: () => redis.disconnect() };
}

/** The fields of a retry's job that the board shows: ids, times and the code of the last error. */
const SHOWN = [...['endpointId', 'messageId', 'member', 'firstFailedAtMs', 'enabledAt', 'reason']];

/**
 * The data of a job as the board shows it. Other fields, such as another release's, are left out, however harmless they
 * are: no body, header or secret is ever shown there (decision 0031).
 */
export function showRetry(data: unknown): Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null) return {};
  return Object.fromEntries(Object.entries(data).filter(([name]) => SHOWN.includes(name)));
}

/** The path of the board; its page asks for all of its files and data below. */
const BOARD_PATH = '/manage/queues';

/** A queue that is not looked at changes without the page; it asks again so often, in seconds. */
const POLLED_EVERY_S = 10;

/** An answer of the board. */
export interface BoardAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * bull-board over the queues in which retries wait (decision 0031). It is a server of its own that listens nowhere: it
 * is given GETs alone, so that its changing routes are never reached. It is made when it is first looked at.
 */
@Injectable()
export class QueueBoard implements OnApplicationShutdown {
  #opened: Promise<OpenBoard> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'redisUrl'>,
    @Inject(LEDGER_IDENTITY) private readonly identity: NamespaceIdentity,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @param url below `BOARD_PATH`, with its query. */
  async get(url: string): Promise<BoardAnswer> {
    const { server } = await this.#open();
    const answer = await server.inject({ method: 'GET', url });
    const contentType = String(answer.headers['content-type'] ?? 'application/octet-stream');
    return { status: answer.statusCode, contentType, body: answer.rawPayload };
  }

  async onApplicationShutdown(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    opened?.retries.close();
    await opened?.server.close();
  }

  /** One that could not be opened is opened anew by the next who looks. */
  #open(): Promise<OpenBoard> {
    this.#opened ??= this.#create().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #create(): Promise<OpenBoard> {
    const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }] = await Promise.all([
      import('@bull-board/api'),
      import('@bull-board/api/bullMQAdapter'),
      import('@bull-board/fastify'),
    ]);
    const retries = await openRetryQueues(this.config.redisUrl, this.identity, this.log);
    const queues = [...retries.queues].map(([partition, queue]) => {
      const displayName = `retries of partition ${partition}`;
      const options = { readOnlyMode: true, prefix: `${partition}-`, displayName };
      const shown = new BullMQAdapter(queue, options);
      shown.setFormatter('data', showRetry);
      shown.setFormatter('returnValue', () => null);
      return shown;
    });
    const adapter = new FastifyAdapter().setBasePath(BOARD_PATH);
    // The package has types of its own copy of the other, one patch before: in shape they are the same.
    const serverAdapter = adapter as unknown as IServerAdapter;
    createBullBoard({ queues, serverAdapter, options: { uiConfig: UI_CONFIG } });
    const server = fastify();
    await server.register(adapter.registerPlugin(), { prefix: BOARD_PATH });
    await server.ready();
    return { server, retries };
  }
}

interface OpenBoard {
  readonly server: FastifyInstance;
  readonly retries: RetryQueues;
}

/** The board asks and shows nothing of Redis itself and of its clients. */
const UI_CONFIG = {
  ...{ boardTitle: 'subledger: retries of webhooks', hideDocsLink: true },
  ...{ hideRedisDetails: true, showWorkers: false },
  pollingInterval: { showSetting: true, forceInterval: POLLED_EVERY_S },
};
