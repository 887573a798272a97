/**
 * Puts each proxy of docs/operations.md, with the configuration that the page has for it, before a standalone: tags
 * come as they are, Bearer tokens arrive, lists are fresh, our refusals are not changed. Then the API dies with a
 * command in its hands, once behind each of them: sent again with its key, the command is done once. At last the
 * standalone is stopped and started again: meanwhile each proxy answers as the page has it, and the next call works
 * soon.
 */
import { freePort } from '../support/free-port.js';
import { grantOperatorToken } from '../support/operators.js';
import { createPlan } from '../support/scenario.js';
import { bearer } from '../support/api-client.js';
import {
  type RunningStandalone,
  startStandalone,
  temporaryDataDir,
} from '../support/standalone.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { Findings } from './full-disk/findings.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';
import { GateFile } from './kills/gate.js';
import { checkAway, checkBack, checkDoneOnce, createKeyed } from './proxies/away.js';
import { type Behind, startAll } from './proxies/behind.js';
import { checkCalm, checkOwnUnavailable, type Subject } from './proxies/calm.js';

export const description =
  'seven proxies with the configurations of docs/operations.md, and restarts behind them (--rounds)';

const DEFAULT_ROUNDS = 1;

/** The observations of one proxy. */
interface Seen {
  /** The places at which the connection of a command ended. */
  readonly broken: string[];
  readonly stopped: string[];
  readonly worksAfterMs: number[];
}

export async function run({
  rounds = DEFAULT_ROUNDS,
  progress,
}: ChaosOptions): Promise<ChaosResult> {
  const scene = new Scene();
  try {
    return await untilInterrupted(scene.play(rounds, progress));
  } finally {
    await scene.end();
  }
}

class Scene {
  readonly #folder = temporaryDataDir();
  readonly #gate = new GateFile(this.#folder.dataDir);
  readonly #findings = new Findings();
  #standalone: RunningStandalone | undefined;
  #proxies: readonly Behind[] = [];
  #isOver = false;

  async play(rounds: number, progress: ChaosOptions['progress']): Promise<ChaosResult> {
    const port = await freePort();
    const { demo, ...standalone } = await this.#start(port);
    const { token } = await grantOperatorToken(standalone, ['admin'], ['*']);
    const direct = bearer(demo.baseUrl, token);
    this.#proxies = await startAll(port, token, this.#findings);
    const plans = `/manage/apps/${demo.appId}/plans`;
    const plan = `${plans}/${await createPlan(direct, demo.appId, { code: 'gold' })}`;
    const subject = { plans, plan, direct };
    const seen = new Map<Behind, Seen>();
    for (const behind of this.#proxies) {
      seen.set(behind, { broken: [], stopped: [], worksAfterMs: [] });
      await checkCalm(behind, subject, this.#findings);
    }
    const goOn = await this.#standalone?.pausePart('projector');
    await checkOwnUnavailable(this.#proxies, subject, this.#findings);
    goOn?.();
    for (let n = 1; n <= rounds; n += 1) {
      for (const [behind, { broken }] of seen) {
        broken.push(await this.#breakConnection(behind, subject, `${behind.name}-${n}`));
      }
      await this.#restart(port, subject, seen);
      progress(n, rounds, 'rounds');
    }
    return this.#toResult(seen);
  }

  /** Ends the running parts; nothing is started any more. */
  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#proxies.map(async ({ proxy }) => proxy.stop()));
    await this.#standalone?.stop();
    this.#folder.remove();
  }

  async #start(port: number): Promise<RunningStandalone> {
    if (this.#isOver) throw new Error('It is over.');
    const env = { PORT: String(port), ...this.#gate.env };
    this.#standalone = await startStandalone(this.#folder.dataDir, env);
    return this.#standalone;
  }

  /** The API dies before it sends the events of a command. @returns its caller's answer. */
  async #breakConnection(behind: Behind, subject: Subject, code: string): Promise<string> {
    this.#gate.shut({ program: 'api', text: 'plan.created.v' }, 'SIGKILL');
    const send = () => createKeyed(behind.operator, subject, code);
    const seen = await checkAway(behind, send, {
      mayEndConnection: true,
      findings: this.#findings,
    });
    this.#gate.open();
    await checkDoneOnce(behind, subject, code, this.#findings);
    return seen;
  }

  async #restart(port: number, subject: Subject, seen: ReadonlyMap<Behind, Seen>): Promise<void> {
    const findings = this.#findings;
    await this.#standalone?.stop();
    const looks = [...seen].map(async ([behind, { stopped }]) => {
      const send = () => behind.operator.get(subject.plan);
      stopped.push(await checkAway(behind, send, { mayEndConnection: false, findings }));
    });
    await Promise.all(looks);
    const back = checkBack([...seen.keys()], subject, findings);
    await this.#start(port);
    const tookMs = await back;
    [...seen.values()].forEach(({ worksAfterMs }, n) => worksAfterMs.push(tookMs[n] ?? Infinity));
  }

  #toResult(seen: ReadonlyMap<Behind, Seen>): ChaosResult {
    const figures = Object.fromEntries([...seen].map(([{ name }, each]) => [name, each]));
    const lines = Object.entries(figures).map(([name, { broken, stopped, worksAfterMs }]) =>
      [
        name,
        ...[...new Set(broken)].map((text) => `  a connection that ended: ${text}`),
        ...[...new Set(stopped)].map((text) => `  stopped: ${text}`),
        `  works after ${worksAfterMs.join(', ')} ms`,
      ].join('\n'),
    );
    return { summary: lines.join('\n'), figures, findings: this.#findings.lines };
  }
}
