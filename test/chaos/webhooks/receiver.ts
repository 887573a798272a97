import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '../../support/verify-webhook.js';
import { answer, chooseMood } from './moods.js';

/** A merchant's endpoint: its address, its selectors and its secret. */
export interface MoodyEndpoint {
  readonly appId: string;
  readonly endpointId: string;
  readonly secret: string;
  readonly wants: (type: string) => boolean;
}

/** A request as it came. */
export interface Arrival {
  readonly endpointId: string;
  readonly messageId: string;
  readonly sequence: string;
  readonly atMs: number;
  /** Undefined where the request was not read. */
  readonly body: string | undefined;
  readonly isSigned: boolean;
  /** Whether it was answered with a whole success. */
  readonly isAccepted: boolean;
}

/** Receives for all endpoints, and misbehaves at random. Times are of this process' clock, in milliseconds. */
export class MoodyReceiver {
  readonly arrivals: Arrival[] = [];
  readonly #endpoints = new Map<string, MoodyEndpoint>();
  readonly #attempts = new Map<string, number>();
  readonly #server: Server;

  /** @param isPatient whether some attempts last until the worker gives them up, after 15 s. */
  constructor(
    private readonly seed: number,
    private readonly isPatient: boolean,
  ) {
    this.#server = createServer((request, response) => this.#receive(request, response));
  }

  get endpoints(): readonly MoodyEndpoint[] {
    return [...this.#endpoints.values()];
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** The address of an endpoint; its name is its path. */
  url(name: string): string {
    // A server that listens on TCP has such an address.
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/${name}`;
  }

  know(name: string, endpoint: MoodyEndpoint): void {
    this.#endpoints.set(`/${name}`, endpoint);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const endpoint = this.#endpoints.get(request.url ?? '');
    if (endpoint === undefined) throw new Error(`no endpoint has the path ${request.url}`);
    const messageId = String(request.headers['webhook-id']);
    const delivery = `${request.url} ${messageId}`;
    const attempt = (this.#attempts.get(delivery) ?? 0) + 1;
    this.#attempts.set(delivery, attempt);
    const mood = chooseMood(this.seed, delivery, attempt, this.isPatient);
    const arrived = {
      ...{ endpointId: endpoint.endpointId, messageId, atMs: performance.now() },
      sequence: String(request.headers['service-event-sequence']),
    };
    if (mood === 'closes at once') {
      this.arrivals.push({ ...arrived, body: undefined, isSigned: true, isAccepted: false });
      request.socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const isSigned = verifyWebhook(endpoint.secret, request.headers, body);
      const isAccepted = answer(mood, response);
      this.arrivals.push({ ...arrived, body, isSigned, isAccepted });
    });
  }
}
