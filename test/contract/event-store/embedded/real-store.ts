import { EventStoreDBClient } from '@eventstore/db-client';
import { RestartableStore } from '../../../integration/event-store/support.js';

/** The embedded server in this process, to be stopped and started again on the same data, with a client. */
export class RealStore extends RestartableStore {
  #client: EventStoreDBClient | undefined;

  /** Another one after each start. */
  get client(): EventStoreDBClient {
    return (this.#client ??= EventStoreDBClient.connectionString(this.connectionString));
  }

  override async stop(): Promise<void> {
    await this.#client?.dispose();
    await this.stopNode();
  }

  /** Stops the server under its clients. */
  async stopNode(): Promise<void> {
    this.#client = undefined;
    await super.stop();
  }
}
