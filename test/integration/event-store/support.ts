import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { accept, type Aggregate } from '#domain/decider';
import type { DomainEvent } from '#domain/event';
import { type RunningEventStore, startEventStore } from '#embedded-event-store';
import type { CommandContext, EventToAppend } from '#event-store';
import { throughPort } from '../../support/connection-string.js';
import { startNamedNode } from '../../support/event-store-node.js';

/** The time of all events here, of which the order alone matters. */
const NOW = '2026-01-31T10:00:00.000Z';

export const context: CommandContext = {
  appId: 'app_1',
  environment: 'test',
  actor: 'app',
  correlationId: 'request-1',
  now: NOW,
};

/** An event of the counter below. */
export function added(amount = 1, type = 'counter.added.v1'): EventToAppend {
  const metadata = {
    $correlationId: 'request-1',
    actor: 'app',
    appId: 'app_1',
    environment: 'test' as const,
    occurredAt: NOW,
  };
  return { id: randomUUID(), type, data: { amount }, metadata };
}

/** Counts, and remembers how often. Adding zero changes nothing. */
export const counter: Aggregate<
  { readonly total: number; readonly additions: number },
  { readonly amount: number },
  DomainEvent<'counter.added.v1', { readonly amount: number }>,
  never
> = {
  category: 'counter',
  decider: {
    initialState: { total: 0, additions: 0 },
    evolve: ({ total, additions }, { data }) => ({
      total: total + data.amount,
      additions: additions + 1,
    }),
    decide: ({ amount }) =>
      amount === 0 ? accept() : accept({ type: 'counter.added.v1', data: { amount } }),
  },
};

/** An event store that can be stopped and started again at the same address, with its data. */
export class RestartableStore {
  readonly #dataDir: string;
  readonly #insecure: boolean;
  #running: Pick<RunningEventStore, 'port' | 'connectionString' | 'stop'> | undefined;
  #port = 0;
  #connectionString = '';

  constructor(dataDir: string, insecure: boolean) {
    this.#dataDir = dataDir;
    this.#insecure = insecure;
  }

  static async start<Store extends RestartableStore>(
    this: new (dataDir: string, insecure: boolean) => Store,
    { insecure = false } = {},
  ): Promise<Store> {
    const store = new this(await mkdtemp(path.join(tmpdir(), 'event-store-client-')), insecure);
    await store.start();
    return store;
  }

  get port(): number {
    return this.#port;
  }

  get connectionString(): string {
    return this.#connectionString;
  }

  get dataDir(): string {
    return this.#dataDir;
  }

  async start(): Promise<void> {
    const [port, dataDir, insecure] = [this.#port, this.#dataDir, this.#insecure];
    this.#running =
      (await startNamedNode(port, dataDir)) ?? (await startEventStore({ port, dataDir, insecure }));
    this.#port = this.#running.port;
    this.#connectionString = this.#running.connectionString;
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

/** A line to a store that can be cut, or lose everything the server says. */
export class CuttableLine {
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  #losesAnswers = false;

  private constructor(private readonly store: RestartableStore) {
    this.#server = net.createServer((near) => {
      const far = net.connect(store.port, '127.0.0.1');
      near.on('data', (chunk) => far.write(chunk));
      far.on('data', (chunk) => {
        if (!this.#losesAnswers) near.write(chunk);
      });
      this.#pair(near, far);
      this.#pair(far, near);
    });
  }

  static async to(store: RestartableStore): Promise<CuttableLine> {
    const line = new CuttableLine(store);
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  get connectionString(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the line is closed');
    return throughPort(this.store.connectionString, address.port);
  }

  /** From now on the server hears, and is not heard. */
  loseAnswers(): void {
    this.#losesAnswers = true;
  }

  /** Cuts every connection; new ones are whole again. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#losesAnswers = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pair(socket: net.Socket, other: net.Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }
}

/** All that an iteration gives. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
