import { setTimeout as sleep } from 'node:timers/promises';
import { signature } from '../../support/api-client.js';
import type { Findings } from '../full-disk/findings.js';
import type { DeployedLedger } from './ledger.js';

const PAUSE_MS = 50;

/** A studio's backend that reads all the while, and bears no error. */
export class ApiReader {
  #reads = 0;
  #isOver = false;
  readonly #running: Promise<void>;

  constructor(
    private readonly url: string,
    private readonly ledger: DeployedLedger,
    private readonly subscriptionIds: readonly string[],
    private readonly findings: Findings,
  ) {
    this.#running = this.#run();
  }

  /** @returns how many reads were answered. */
  async stop(): Promise<number> {
    this.#isOver = true;
    await this.#running;
    return this.#reads;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const id = this.subscriptionIds[this.#reads % this.subscriptionIds.length] ?? '';
      const paths = ['/sdk/subscriptions', `/sdk/subscriptions/${id}`];
      await this.#read([...paths, `/sdk/subscriptions/${id}/payments`][this.#reads % 3] ?? '');
      await sleep(PAUSE_MS);
    }
  }

  async #read(path: string): Promise<void> {
    const { appId, ingressSecret } = this.ledger.purchases;
    const headers = { 'x-service-hmac-signature': signature({ appId, ingressSecret }, '') };
    try {
      const answer = await fetch(`${this.url}${path}`, { headers });
      const text = await answer.text();
      if (!answer.ok) this.findings.add(`a read was answered with ${answer.status}`, text);
    } catch (error) {
      this.findings.add('a read was not answered', String(error));
    }
    this.#reads += 1;
  }
}
