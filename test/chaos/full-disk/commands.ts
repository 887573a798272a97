import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type ApiClient, operatorClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { seeing, tokenIn } from '../../support/scenario.js';
import type { RunningStandalone } from '../../support/standalone.js';
import type { Findings } from './findings.js';

/** The answer while a part is out of reach (rules/api 12): HTTP status and code. */
const UNAVAILABLE = { status: 503, code: 14 };
const PAUSE_MS = 50;
const READ_LIMIT_MS = 30_000;
/** Nearly as long as a plan's description may be, and nothing that could be packed, so that events need room. */
const DESCRIPTION = randomBytes(1_480).toString('base64');

/** A client that creates plans, one after another, and keeps book of the answers. */
export class Commands {
  /** Ids of plans that were acknowledged, with the consistency token of the answer. */
  readonly acknowledged = new Map<string, string>();
  refused = 0;
  #count = 0;
  #operator!: ApiClient;
  #path!: string;

  constructor(private readonly findings: Findings) {}

  /** After each start, since the address is another one. */
  sendTo({ demo }: RunningStandalone): void {
    this.#operator = operatorClient(demo);
    this.#path = `/manage/apps/${demo.appId}/plans`;
  }

  /** Creates one plan. @returns whether it was acknowledged. */
  async send(): Promise<boolean> {
    this.#count += 1;
    const answer = await this.#create(`full-disk-${this.#count}`);
    if (answer === undefined) return false;
    const { status, body } = answer;
    if (status === 200) {
      this.acknowledged.set(String(body['id']), tokenIn(answer));
      return true;
    }
    if (status === UNAVAILABLE.status && body['code'] === UNAVAILABLE.code) this.refused += 1;
    else this.findings.add(`a command was answered ${status}`, answer.text);
    return false;
  }

  /** Sends until a command ends as is wanted. @returns how long that took; undefined past the limit. */
  async sendUntil(isWanted: boolean, limitMs: number): Promise<number | undefined> {
    const since = performance.now();
    while (performance.now() - since < limitMs) {
      if ((await this.send()) === isWanted) return performance.now() - since;
      await sleep(PAUSE_MS);
    }
    return undefined;
  }

  /** Reads every acknowledged plan back. A plan that is not there within the limit is a finding. */
  async readBack(): Promise<void> {
    for (const [id, token] of this.acknowledged) {
      let last = '';
      const isThere = async () => {
        const answer = await this.#operator.get(`${this.#path}/${id}`, seeing(token));
        last = `${answer.status} ${answer.text}`;
        return answer.status === 200;
      };
      await eventually(isThere, { limitMs: READ_LIMIT_MS }).catch(() => {
        this.findings.add('an acknowledged plan cannot be read', `${id}: ${last}`);
      });
    }
  }

  async #create(code: string): Promise<Answer | undefined> {
    try {
      return await this.#operator.post(this.#path, {
        code,
        name: code,
        description: DESCRIPTION,
        billingPeriodValue: '1',
        billingPeriodUnit: 'month',
        prices: [{ currency: 'USD', amountCents: '999' }],
      });
    } catch (error) {
      this.findings.add('a command was not answered', String(error));
      return undefined;
    }
  }
}
