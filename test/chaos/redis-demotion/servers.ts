import net, { type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';

/** Two servers behind one address, one of them the replica of the other. */
export class ServersBehindAddress {
  #front!: net.Server;
  #leadsTo = 0;

  private constructor(private readonly servers: readonly [RunningRedis, RunningRedis]) {}

  static async start(): Promise<ServersBehindAddress> {
    const all = new ServersBehindAddress([await startRedis(), await startRedis()]);
    await all.#replicate(all.#other);
    await all.#listen();
    return all;
  }

  get url(): string {
    // It listens at a port of its own, which its address names.
    const { port } = this.#front.address() as AddressInfo;
    return `redis://127.0.0.1:${port}`;
  }

  /** Makes the replica the master, as a planned failover does: nothing that was written is lost. */
  async failOver(): Promise<void> {
    const { port } = this.#other;
    await this.#current.command(`FAILOVER TO 127.0.0.1 ${port} TIMEOUT 10000`);
    const isDone = async () => (await this.#other.command('REPLICAOF NO ONE')) === '+OK';
    await eventually(async () => (await isMaster(this.#other)) && (await isDone()));
    await this.#replicateBack();
  }

  /** Lets the address lead to the master; connections stay where they are. */
  moveAddress(): void {
    this.#leadsTo = 1 - this.#leadsTo;
  }

  async stop(): Promise<void> {
    this.#front.close();
    await Promise.all(this.servers.map((server) => server.stop()));
  }

  get #current(): RunningRedis {
    return this.servers[this.#leadsTo === 0 ? 0 : 1];
  }

  get #other(): RunningRedis {
    return this.servers[this.#leadsTo === 0 ? 1 : 0];
  }

  async #replicate(replica: RunningRedis): Promise<void> {
    await replica.command(`REPLICAOF 127.0.0.1 ${this.#current.port}`);
    await eventually(async () => (await this.#current.command('WAIT 1 1000')) === ':1');
  }

  /** FAILOVER does it as well, unless it was given up. */
  async #replicateBack(): Promise<void> {
    await this.#current.command(`REPLICAOF 127.0.0.1 ${this.#other.port}`);
  }

  async #listen(): Promise<void> {
    this.#front = net.createServer((client) => {
      const server = net.connect(this.#current.port, '127.0.0.1');
      client.pipe(server).pipe(client);
      for (const socket of [client, server]) socket.on('error', () => undefined);
      client.on('close', () => server.destroy());
      server.on('close', () => client.destroy());
    });
    this.#front.listen(0, '127.0.0.1');
    await once(this.#front, 'listening');
  }
}

/** The first line of ROLE is the number of its lines: three for a master. */
async function isMaster(server: RunningRedis): Promise<boolean> {
  return (await server.command('ROLE')) === '*3';
}
