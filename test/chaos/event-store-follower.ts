import { streamNameFilter, type EventStoreDBClient, type Position } from '@eventstore/db-client';
import type { Ledger } from './event-store-ledger.js';

/** A subscriber that keeps its checkpoint and resumes from it in each life of the store. */
export class Follower {
  /** The positions of the events it handled, in the order of handling. */
  readonly followed: bigint[] = [];
  #checkpoint: Position | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly prefix: string,
    private readonly ledger: Ledger,
  ) {}

  start(client: EventStoreDBClient): void {
    this.#running = this.#follow(client);
  }

  async stop(): Promise<void> {
    await this.#running;
  }

  /** Waits until the event at `position` was handled. */
  async reach(position: bigint): Promise<void> {
    const deadline = Date.now() + 30_000;
    while ((this.followed.at(-1) ?? 0n) < position) {
      if (Date.now() > deadline) throw new Error(`The subscriber did not reach ${position}.`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async #follow(client: EventStoreDBClient): Promise<void> {
    const filter = streamNameFilter({ prefixes: [this.prefix] });
    const fromPosition = this.#checkpoint ?? 'start';
    try {
      for await (const { event } of client.subscribeToAll({ filter, fromPosition })) {
        this.ledger.saw(event!.position.commit, event!.id);
        this.followed.push(event!.position.commit);
        this.#checkpoint = event!.position!;
      }
    } catch (error) {
      if (error instanceof Error && error.name === 'AssertionError') throw error;
      // The store was killed; the next life goes on from the checkpoint.
    }
  }
}
