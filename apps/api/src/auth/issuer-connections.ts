import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { JSONWebKeySet } from 'jose';
import { targetRules } from '#catalog';
import type { CreatedApp, TokenIssuer } from '#domain/app';
import {
  checkTarget,
  EgressConnections,
  get,
  readEgressOptions,
  RequestFailed,
  type TargetRules,
} from '#egress';
import { LOG, STOPPING } from '#nest';
import { type Log, withSignal } from '#platform';
import { parseIssuerKeys } from '#tenancy';
import type { ApiConfig } from '../config.js';
import { CONFIG } from '../tokens.js';

/** Of a whole call: a player's first request waits for it. */
const CALL_LIMIT_MS = 5_000;
/** Ten keys with the chains of their certificates have a third of it. */
const ANSWER_LIMIT_BYTES = 65_536;
const HEADERS = { accept: 'application/json', 'accept-encoding': 'identity' };

/** Gets the keys of apps' token issuers, under the rules of all requests to others' addresses (rules/http 1). */
@Injectable()
export class IssuerConnections implements OnApplicationShutdown {
  readonly #rules: Readonly<Record<CreatedApp['environment'], TargetRules>>;
  /** Made when it is needed: most programs have no app with an issuer. */
  #connections: EgressConnections | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: ApiConfig,
    @Inject(LOG) private readonly log: Log,
    @Inject(STOPPING) private readonly stopping: AbortSignal,
  ) {
    this.#rules = {
      production: targetRules({ environment: 'production' }, config),
      test: targetRules({ environment: 'test' }, config),
    };
  }

  /** @throws whatever the call fails with, after it was logged. */
  async fetchKeys(
    app: CreatedApp,
    issuer: TokenIssuer,
    limitMs = CALL_LIMIT_MS,
  ): Promise<JSONWebKeySet> {
    try {
      return parseIssuerKeys(await this.#get(app, issuer, limitMs));
    } catch (error) {
      // No text of the address is in it.
      const why = error instanceof RequestFailed ? error.code : String(error);
      this.log.warn({ appId: app.appId, why }, 'the keys of a token issuer could not be had');
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#connections?.close();
  }

  async #get(app: CreatedApp, { jwksUrl: url }: TokenIssuer, limitMs: number): Promise<string> {
    const rules = this.#rules[app.environment];
    const target = checkTarget(url, rules);
    if (!target.ok) throw new Error(target.reason);
    const connections = (this.#connections ??= new EgressConnections(
      readEgressOptions(this.config),
    ));
    // One byte more than an answer may have says that there was more.
    const answerLimitBytes = ANSWER_LIMIT_BYTES + 1;
    const owner = `token issuer of ${app.appId}`;
    const asked = { owner, url, rules, headers: HEADERS, answerLimitBytes };
    const { status, body } = await withSignal(this.stopping, limitMs, (signal) =>
      get(connections, { ...asked, signal }),
    );
    // A redirect is one of them, too.
    if (status !== 200) throw new Error(`it answered ${status}`);
    if (body.length > ANSWER_LIMIT_BYTES) throw new Error('it answered too much');
    return body.toString('utf8');
  }
}
