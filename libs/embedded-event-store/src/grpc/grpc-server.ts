import {
  constants,
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { CallStatus } from '../failures.js';
import { MAX_CALLS_PER_CONNECTION, RECEIVE_WINDOW_BYTES } from '../limits.js';
import type { KeyPair } from '../access/certificates.js';
import { Call } from './call.js';
import { GrpcCode } from './status.js';

export type CallHandler = (call: Call) => void;

export interface GrpcServerOptions {
  /** By their path, such as `/package.Service/Method`. */
  readonly handlers: ReadonlyMap<string, CallHandler>;
  /** Without it there is no TLS. */
  readonly keyPair?: KeyPair | undefined;
  /** Why a call is refused when its headers are there, before anything of its messages is read. */
  readonly refuse?:
    ((path: string, headers: IncomingHttpHeaders) => CallStatus | undefined) | undefined;
}

const OPTIONS = {
  settings: {
    maxConcurrentStreams: MAX_CALLS_PER_CONNECTION,
    initialWindowSize: RECEIVE_WINDOW_BYTES,
  },
  // A status may be as long as the name of a stream makes it.
  maxSendHeaderBlockLength: Number.MAX_SAFE_INTEGER,
  // Memory is bounded call by call, and a call above its bound is refused.
  maxSessionMemory: Number.MAX_SAFE_INTEGER,
};

/** Clients have no certificates: without a list of authorities, Node would read all that it brings, for 30 ms. */
const NO_AUTHORITIES = { ca: [] };

const UNKNOWN_METHOD: CallStatus = {
  code: GrpcCode.UNIMPLEMENTED,
  details: 'The server does not implement this method.',
};

/**
 * gRPC over HTTP/2, as much of it as the event store needs. A library would do, were it not that it writes each
 * message by itself (decision 0010).
 */
export class GrpcServer {
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  /** With those whose TLS handshake is not over, which would hold up a stop for two minutes. */
  readonly #sockets = new Set<Socket>();

  constructor(private readonly options: GrpcServerOptions) {
    const { keyPair } = options;
    this.#server = keyPair
      ? createSecureServer({
          ...OPTIONS,
          ...NO_AUTHORITIES,
          key: keyPair.privateKey,
          cert: keyPair.certificate,
        })
      : createServer(OPTIONS);
    this.#server.on('connection', (socket: Socket) => remember(this.#sockets, socket));
    this.#server.on('session', (session) => {
      session.setLocalWindowSize(RECEIVE_WINDOW_BYTES);
      remember(this.#sessions, session);
    });
    // Errors of a client's own connection are no concern of the server.
    this.#server.on('sessionError', () => undefined);
    this.#server.on('stream', (stream, headers) => this.#serve(stream, headers));
  }

  /** @param port any free one for 0. @returns the port. @throws the system's error. */
  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** Takes no further connections and calls. Resolves when those that are there have ended, or were cut. */
  async close(graceMs: number): Promise<void> {
    if (!this.#server.listening) return;
    const cut = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, graceMs);
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      for (const session of this.#sessions) session.close();
    });
    clearTimeout(cut);
  }

  #serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    if (!(headers['content-type'] ?? '').startsWith('application/grpc')) {
      stream.on('error', () => undefined);
      stream.respond({ [constants.HTTP2_HEADER_STATUS]: 415 }, { endStream: true });
      return;
    }
    const path = String(headers[constants.HTTP2_HEADER_PATH]);
    const call = new Call(stream, headers);
    const refusal = this.options.refuse?.(path, headers);
    const handler = this.options.handlers.get(path);
    if (refusal) call.fail(refusal);
    else if (handler) handler(call);
    else call.fail(UNKNOWN_METHOD);
  }
}

interface Closing {
  once(event: 'close', listener: () => void): unknown;
}

function remember<Kept extends Closing>(all: Set<Kept>, kept: Kept): void {
  all.add(kept);
  kept.once('close', () => all.delete(kept));
}
