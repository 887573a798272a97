import { GenerationsLedger } from '../../integration/projection-engine/generations.js';
import { LiveLoad } from '../../integration/projection-engine/live-load.js';
import { type RunningProgram, startProgram } from '../../support/program.js';

const SUBSCRIPTIONS = 60;
const BETWEEN_APPENDS_MS = 10;
/** Two, so that one of them can take over. */
const PROJECTORS = ['one', 'other'] as const;

export type ProjectorName = (typeof PROJECTORS)[number];

/** A ledger with two projectors, as programs, under a load whose readers judge each answer. */
export class ProjectionsStage {
  readonly load: LiveLoad;
  readonly #programs = new Map<ProjectorName, RunningProgram>();
  readonly #paused = new Set<ProjectorName>();
  /** Redis was emptied, and does not answer for all partitions yet. */
  #isLost = false;
  longestLossMs = 0;

  private constructor(readonly ledger: GenerationsLedger) {
    const mayBeUnavailable = () => this.#isLost;
    const { store, readModels, ids } = ledger;
    const pauseMs = BETWEEN_APPENDS_MS;
    this.load = new LiveLoad({ store, readModels, ids, pauseMs, mayBeUnavailable });
  }

  static async start(): Promise<ProjectionsStage> {
    const ledger = await GenerationsLedger.start(SUBSCRIPTIONS);
    const programs = await Promise.all(PROJECTORS.map((name) => startProjector(ledger, name)));
    await ledger.untilBuilt();
    const stage = new ProjectionsStage(ledger);
    for (const [at, name] of PROJECTORS.entries()) {
      const program = programs[at];
      if (program !== undefined) stage.#programs.set(name, program);
    }
    return stage;
  }

  /** SIGKILL, and a new one in its place. */
  async kill(name: ProjectorName): Promise<void> {
    await this.#programs.get(name)?.kill();
    this.#paused.delete(name);
    this.#programs.set(name, await startProjector(this.ledger, name));
  }

  /** SIGSTOP, until `resumeAll`. */
  hold(name: ProjectorName): void {
    // The other one goes on: readers wait for events.
    this.resumeAll();
    this.#programs.get(name)?.pause();
    this.#paused.add(name);
  }

  /** SIGCONT. */
  resumeAll(): void {
    for (const name of this.#paused) this.#programs.get(name)?.resume();
    this.#paused.clear();
  }

  /** Resolves when all read models answer again, without anybody's act. @throws Error in time-out. */
  async empty(): Promise<void> {
    this.#isLost = true;
    const beganAtMs = performance.now();
    await this.ledger.server.command('FLUSHALL');
    await this.ledger.untilBuilt();
    this.#isLost = false;
    this.longestLossMs = Math.max(this.longestLossMs, performance.now() - beganAtMs);
  }

  async stop(): Promise<void> {
    this.resumeAll();
    await this.load.stop().catch(() => undefined);
    await Promise.all([...this.#programs.values()].map((program) => program.kill()));
    await this.ledger.stop();
  }
}

function startProjector({ store, server }: GenerationsLedger, name: string) {
  return startProgram('projector', {
    EVENTSTOREDB_URL: store.connectionString,
    REDIS_URL: server.url,
    INSTANCE_NAME: name,
    ADMIN_PORT: '0',
    LOG_LEVEL: 'fatal',
  });
}
