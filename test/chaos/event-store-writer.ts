import { randomBytes } from 'node:crypto';
import {
  jsonEvent,
  NO_STREAM,
  WrongExpectedVersionError,
  type AppendToStreamOptions,
  type Credentials,
  type EventStoreDBClient,
  type JSONEventData,
} from '@eventstore/db-client';
import type { Ledger } from './event-store-ledger.js';

interface Append {
  readonly events: readonly JSONEventData[];
  readonly firstRevision: number;
  isRetry: boolean;
}

const MOST_EVENTS = 4;

/**
 * Appends to a stream of its own at explicit revisions. An append whose outcome is unknown is
 * repeated with the same ids at the same revision until it is answered; a conflict is then a lie.
 */
export class Writer {
  #nextRevision = 0;
  #unknown: Append | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopping = false;
  #user: Credentials | undefined;

  constructor(
    readonly stream: string,
    private readonly number: number,
    private readonly ledger: Ledger,
  ) {}

  /** @param user the client's own: to name it makes the client use the older call. */
  start(client: EventStoreDBClient, user: Credentials): void {
    this.#isStopping = false;
    this.#user = user;
    this.#running = this.#write(client);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  /** Clears up the last unknown outcome. */
  async retryUnknown(client: EventStoreDBClient): Promise<void> {
    if (this.#unknown) await this.#append(client, this.#unknown);
  }

  async #write(client: EventStoreDBClient): Promise<void> {
    while (!this.#isStopping) {
      const append = this.#unknown ?? this.#propose();
      try {
        await this.#append(client, append);
      } catch (error) {
        if (error instanceof WrongExpectedVersionError) throw error;
        append.isRetry = true;
        this.#unknown = append;
        return;
      }
    }
  }

  async #append(client: EventStoreDBClient, append: Append): Promise<void> {
    const { events, firstRevision } = append;
    const expectedRevision = firstRevision === 0 ? NO_STREAM : BigInt(firstRevision - 1);
    // Half of the writers use the older call, which credentials make the client choose.
    const older = this.#user && { credentials: this.#user };
    const options: AppendToStreamOptions = {
      expectedRevision,
      ...(this.number % 2 === 0 ? undefined : older),
    };
    const result = await client.appendToStream(this.stream, [...events], options);
    this.#unknown = undefined;
    this.#nextRevision = firstRevision + events.length;
    const ids = events.map(({ id }) => id);
    const lastPosition = result.position!.commit;
    this.ledger.acknowledge(
      { stream: this.stream, ids, firstRevision, lastPosition },
      append.isRetry,
    );
  }

  #propose(): Append {
    const count = 1 + Math.floor(Math.random() * MOST_EVENTS);
    const events = Array.from({ length: count }, () =>
      jsonEvent({ type: 'chaos.v1', data: { text: randomText() } }),
    );
    return { events, firstRevision: this.#nextRevision, isRetry: false };
  }
}

/** Of any length, and nothing that could be packed, so that records have many sizes. */
function randomText(): string {
  return randomBytes(Math.random() * 2250).toString('base64');
}
