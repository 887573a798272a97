import { type buildConnector, Client } from 'undici';
import type { Connect } from './connector.js';

interface ConnectionOptions {
  /** Shared by requests of the same endpoint, target and rules alone. */
  readonly key: string;
  readonly origin: string;
  readonly connect: Connect;
  /** How long it is kept without a request. */
  readonly idleMs: number;
  readonly onClosed: (connection: Connection) => void;
}

/** One connection to one endpoint's target, for one request at a time. */
export class Connection {
  readonly key: string;
  readonly client: Client;
  /** The other end, once it is connected. */
  remoteAddress = '';
  /** Whether the operator's proxy stands between. */
  isProxied = false;
  /** Whether a request went over it already: its other end may be closing it just now. */
  isUsed = false;
  readonly #connect: Connect;
  #signal: AbortSignal = AbortSignal.abort();

  constructor({ key, origin, connect, idleMs, onClosed }: ConnectionOptions) {
    this.key = key;
    this.#connect = connect;
    this.client = new Client(origin, {
      connect: (target, callback) => this.#open(target, callback),
      keepAliveTimeout: idleMs,
      // A receiver may ask for less, and not for ten minutes.
      keepAliveMaxTimeout: idleMs,
    });
    this.client.on('disconnect', () => onClosed(this));
  }

  /** For the request that follows: its end is that of a connection that is being opened, too. */
  begin(signal: AbortSignal): void {
    this.#signal = signal;
  }

  async destroy(): Promise<void> {
    await this.client.destroy();
  }

  #open(target: buildConnector.Options, callback: buildConnector.Callback): void {
    this.#connect(target, this.#signal).then(
      ({ socket, remoteAddress, isProxied }) => {
        Object.assign(this, { remoteAddress, isProxied });
        callback(null, socket);
      },
      // Whatever it is rejected with is an error, or the reason of a signal, which undici hands on.
      (error: unknown) => callback(error as Error, null),
    );
  }
}
