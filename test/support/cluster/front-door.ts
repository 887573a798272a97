import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** A port before another one. It can be shut as by a kill, or stand still as a paused process does. */
export class FrontDoor {
  readonly #behind: number;
  readonly #sockets = new Set<net.Socket>();
  readonly #frozen = new WeakSet<net.Socket>();
  #listener: net.Server | undefined;
  #isFrozen = false;
  #port = 0;
  #connections = 0;
  #answered = 0;

  private constructor(behind: number) {
    this.#behind = behind;
  }

  static async before(port: number): Promise<FrontDoor> {
    const door = new FrontDoor(port);
    await door.open();
    return door;
  }

  get port(): number {
    return this.#port;
  }

  /** How many connections were made in all. */
  get connections(): number {
    return this.#connections;
  }

  /** How many bytes came from behind it in all. */
  get answeredBytes(): number {
    return this.#answered;
  }

  /** How many connections there are. */
  get established(): number {
    return this.#sockets.size / 2;
  }

  /** Listens, at the port that it has had before. */
  async open(): Promise<void> {
    this.#isFrozen = false;
    this.#listener = net.createServer((near) => this.#connect(near));
    this.#listener.listen(this.#port, '127.0.0.1');
    await once(this.#listener, 'listening');
    // It listens at a port of its own, which its address names.
    this.#port = (this.#listener.address() as AddressInfo).port;
  }

  /** From now on nothing passes in either direction, and connections are taken as before. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** The same for the connections that there are; new ones are whole. */
  freezeConnections(): void {
    for (const socket of this.#sockets) this.#frozen.add(socket);
  }

  /** Ends all connections and refuses new ones. */
  async shut(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const listener = this.#listener;
    this.#listener = undefined;
    if (listener) await new Promise((resolve) => listener.close(resolve));
  }

  #connect(near: net.Socket): void {
    this.#connections += 1;
    const far = net.connect(this.#behind, '127.0.0.1');
    this.#pass(near, far);
    this.#pass(far, near);
    far.on('data', (chunk) => (this.#answered += chunk.length));
  }

  #pass(from: net.Socket, to: net.Socket): void {
    this.#sockets.add(from);
    from
      .on('data', (chunk) => {
        if (!this.#isFrozen && !this.#frozen.has(from)) to.write(chunk);
      })
      .on('error', () => to.destroy())
      .on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
  }
}
