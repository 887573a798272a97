import { Pool } from 'undici';
import { signature } from '../support/api-client.js';
import type { Demo } from '../support/standalone.js';
import { ask } from './http-load.js';

type Signer = (body: string) => string;

/** Posts JSON and reads JSON, over as many connections as are in flight. */
export class JsonClient {
  readonly #pool: Pool;

  /** @param sign makes the header that backends sign with; without it the caller has no credentials. */
  constructor(
    url: string,
    private readonly sign?: Signer,
  ) {
    this.#pool = new Pool(url);
  }

  static forBackend(demo: Pick<Demo, 'baseUrl' | 'appId' | 'ingressSecret'>): JsonClient {
    return new JsonClient(demo.baseUrl, (body) => signature(demo, body));
  }

  /** @returns the body of the answer. @throws Error for any answer but 200. */
  async post(path: string, value: unknown): Promise<Record<string, unknown>> {
    const body = JSON.stringify(value);
    const credentials = this.sign && { 'x-service-hmac-signature': this.sign(body) };
    const headers = { 'content-type': 'application/json', ...credentials };
    // Our own servers answer with objects.
    return JSON.parse(await ask(this.#pool, { method: 'POST', path, headers, body })) as Record<
      string,
      unknown
    >;
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
