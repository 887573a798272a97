import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A way to Redis that can be shut: a process's commands from then on wait, as they do in a process that was stopped in
 * the middle of an act. Redis's answers pass.
 */
export class RedisGate {
  readonly #sockets = new Set<Socket>();
  readonly #waiting: (() => void)[] = [];
  #marker: string | undefined;
  #isShut = false;

  private constructor(private readonly server: Server) {}

  static async start(redisPort: number): Promise<RedisGate> {
    const server = createServer();
    const gate = new RedisGate(server);
    server.on('connection', (client) => gate.#join(client, connect(redisPort, '127.0.0.1')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return gate;
  }

  get url(): string {
    // It listens on a port, which this is.
    return `redis://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get isShut(): boolean {
    return this.#isShut;
  }

  /** Shuts before the first bytes in which this text stands. */
  shutAt(marker: string): void {
    this.#marker = marker;
  }

  /** Lets the waiting commands go. */
  open(): void {
    this.#isShut = false;
    this.#marker = undefined;
    for (const send of this.#waiting.splice(0)) send();
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  #join(client: Socket, redis: Socket): void {
    for (const socket of [client, redis]) {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.on('data', (bytes) => {
      if (this.#marker !== undefined && bytes.includes(this.#marker)) this.#isShut = true;
      const send = () => void redis.write(bytes);
      if (this.#isShut) this.#waiting.push(send);
      else send();
    });
    redis.on('data', (bytes) => client.write(bytes));
    client.on('close', () => redis.end());
    redis.on('close', () => client.destroy());
  }
}
