import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { startEventStore, type RunningEventStore } from '#embedded-event-store';

/** The embedded server in this process, to be stopped and started again on the same data. */
export class RealStore {
  #running: RunningEventStore | undefined;
  #client: EventStoreDBClient | undefined;

  private constructor(readonly dataDir: string) {}

  static async start(): Promise<RealStore> {
    const store = new RealStore(await mkdtemp(path.join(tmpdir(), 'event-store-embedded-')));
    await store.start();
    return store;
  }

  get client(): EventStoreDBClient {
    if (!this.#client) throw new Error('The store is stopped.');
    return this.#client;
  }

  get connectionString(): string {
    return this.#running?.connectionString ?? '';
  }

  get port(): number {
    return this.#running?.port ?? 0;
  }

  async start(): Promise<void> {
    this.#running = await startEventStore({ port: 0, dataDir: this.dataDir });
    this.#client = EventStoreDBClient.connectionString(this.#running.connectionString);
  }

  async stop(): Promise<void> {
    await this.#client?.dispose();
    await this.stopNode();
  }

  /** Stops the server under its clients. */
  async stopNode(): Promise<void> {
    await this.#running?.stop();
    this.#client = undefined;
    this.#running = undefined;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
