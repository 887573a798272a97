import { connect, type Socket } from 'node:net';
import { signature } from '../support/api-client.js';
import type { Demo } from '../support/standalone.js';

const HEAD_END = '\r\n\r\n';
const LENGTH = 'content-length: ';
/** Answers of commands are shorter. */
const ANSWER_BYTES = 16 * 1024;

type Signer = (body: string) => string;

/**
 * Posts JSON and reads JSON, and no more of HTTP than our own servers say. The generator shares the processors with
 * the programs under load: `fetch` took as long for a purchase as the worker did.
 */
export class QuickClient {
  readonly #idle: Connection[] = [];
  readonly #all: Connection[] = [];

  /** @param sign what stands in the header that backends sign with; without it the caller has no credentials. */
  constructor(
    private readonly url: string,
    private readonly sign: Signer = () => '',
  ) {}

  static forBackend(demo: Pick<Demo, 'baseUrl' | 'appId' | 'ingressSecret'>): QuickClient {
    return new QuickClient(demo.baseUrl, (body) => signature(demo, body));
  }

  /** @returns the body of the answer. @throws Error for any answer but 200. */
  async post(path: string, value: unknown): Promise<Record<string, unknown>> {
    const body = JSON.stringify(value);
    const signed = this.sign(body);
    const credentials = signed === '' ? '' : `x-service-hmac-signature: ${signed}\r\n`;
    const length = `content-length: ${Buffer.byteLength(body)}`;
    const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${credentials}content-type: application/json\r\n`;
    const connection = this.#idle.pop() ?? this.#open();
    const answer = await connection.exchange(`${head}${length}${HEAD_END}${body}`);
    this.#idle.push(connection);
    // Our own servers answer with objects.
    return JSON.parse(answer) as Record<string, unknown>;
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  #open(): Connection {
    const connection = new Connection(new URL(this.url));
    this.#all.push(connection);
    return connection;
  }
}

/** One connection, with one request on its way at a time. */
class Connection {
  readonly #socket: Socket;
  readonly #buffer = Buffer.allocUnsafe(ANSWER_BYTES);
  #come = '';
  #settle: { resolve: (body: string) => void; reject: (error: Error) => void } | undefined;

  constructor({ hostname, port }: URL) {
    const callback = (bytes: number) => this.#take(this.#buffer.toString('utf8', 0, bytes));
    const onread = { buffer: this.#buffer, callback };
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
    this.#socket.on('error', (error) => this.#settle?.reject(error));
    this.#socket.on('close', () => this.#settle?.reject(new Error('the server hung up')));
  }

  exchange(request: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #take(text: string): boolean {
    this.#come += text;
    const end = this.#come.indexOf(HEAD_END);
    if (end === -1) return true;
    const head = this.#come.slice(0, end);
    const length = parseInt(head.slice(head.indexOf(LENGTH) + LENGTH.length), 10);
    // What is answered here is ASCII, so that characters are bytes.
    const body = this.#come.slice(end + HEAD_END.length);
    if (body.length < length) return true;
    const { resolve, reject } = this.#settle ?? {};
    this.#come = '';
    this.#settle = undefined;
    if (head.startsWith('HTTP/1.1 200 ')) resolve?.(body);
    else reject?.(new Error(`refused: ${head} ${body}`));
    return true;
  }
}
