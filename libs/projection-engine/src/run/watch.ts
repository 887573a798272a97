import type { Position } from '#domain/event';
import { settleAll, sleepUnlessAborted, warnSeldom } from '#platform';
import type { Redis } from '#redis';
import { MEASURED_EACH_MS, SLOW_TICK_MS, TICK_MS } from '../limits.js';
import { projectorMetrics } from '../metrics.js';
import type { PartitionDocuments } from '../partition/partition-documents.js';
import type { ReadModelPartition } from '../partition/read-model-partition.js';
import type { Round, RoundKind } from '../round/round.js';
import { Ages } from '../stored/ages.js';
import { AheadOfStore } from './ahead-of-store.js';
import type { Gate } from './gate.js';
import type { Figures } from './figures.js';
import type { ObstacleWatch } from './obstacle-watch.js';
import type { Placement } from './placement.js';
import { deleteLeftovers, retireReadModels, touchReadModels } from './retirement.js';
import type { ProjectorOptions } from './shares.js';

/** The work on the partitions that are held at a time. */
interface WatchedTurn {
  readonly placement: Placement;
  readonly gate: Gate;
  readonly obstacles: ObstacleWatch;
  readonly figures: Figures;
  readonly rounds: readonly Round[];
  /** How each generation is fed in these rounds. */
  readonly kinds: ReadonlyMap<PartitionDocuments, RoundKind>;
  readonly held: readonly ReadModelPartition[];
  /** Aborted where something has been built, is asked for, or is to be built anew. */
  readonly over: AbortController;
}

/** Sees losses of Redis or the store, acts and unused read models, which a feed cannot see, beside the rounds of each turn. */
export class Watch {
  readonly #aheadOfStore: AheadOfStore;
  #turn: WatchedTurn | undefined;
  /** The end of history, when it was last looked at. */
  #head: Position = '';
  /** Generations that answer and are ahead of a store that has lost events. */
  #ahead: readonly ReadModelPartition[] = [];
  #gateLooks = Promise.resolve();

  /**
   * @param names of the read models that are in use here.
   * @param onBuilt all of history is in the held partitions; it may be called more than once.
   */
  constructor(
    private readonly redis: Redis,
    private readonly options: ProjectorOptions,
    private readonly names: readonly string[],
    private readonly onBuilt: () => void,
  ) {
    const { store, log, aheadBelievedAfterMs } = options;
    this.#aheadOfStore = new AheadOfStore(store, log, aheadBelievedAfterMs);
  }

  /** Another turn begins. @throws Fault of Redis. */
  async begin(turn: WatchedTurn): Promise<void> {
    this.#turn = turn;
    this.#ahead = [];
    await touchReadModels(this.redis, this.options.identity, this.names);
  }

  /** Does each task in its time, one after the other, until the signal is aborted. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const tasks = [
      { everyMs: MEASURED_EACH_MS, doing: 'measuring the read models', act: () => this.#measure() },
      { everyMs: SLOW_TICK_MS, doing: 'trying parked streams', act: () => this.#retryParked() },
      { everyMs: SLOW_TICK_MS, doing: 'retiring old read models', act: () => this.#tidy(signal) },
    ].map((task) => ({ ...task, dueAtMs: 0 }));
    this.#lookAtGate(signal);
    while (await sleepUnlessAborted(TICK_MS, signal)) {
      this.#reportBuild();
      projectorMetrics.parked.set(
        this.#rounds.reduce((sum, { parkedCount }) => sum + parkedCount, 0),
      );
      const caughtUp = this.#rounds.filter(({ isCaughtUp }) => isCaughtUp);
      await Promise.all(caughtUp.map((round) => this.settle(round)));
      await this.settlePlaces();
      await this.#turn?.obstacles.look(this.#turn.held);
      this.#lookAtGate(signal);
      for (const task of tasks) {
        const nowMs = performance.now();
        if (signal.aborted || nowMs < task.dueAtMs) continue;
        task.dueAtMs = nowMs + task.everyMs;
        await task.act().catch((error: unknown) => {
          warnSeldom(this.options.log, error, `${task.doing} did not succeed`);
        });
      }
    }
    await this.#gateLooks;
  }

  /** Settles a round that has caught up. Where it has built something, the turn is over. Never throws. */
  async settle(round: Round): Promise<void> {
    const turn = this.#turn;
    if (turn === undefined || !(await round.settle())) return;
    if (round.isCatchingUp) {
      for (const generation of round.generations) turn.placement.noteCaughtUp(generation);
      turn.over.abort();
      return;
    }
    const isAnswering = turn.held.every((partition) => partition.at('checkpoint') !== undefined);
    if (isAnswering) this.onBuilt();
  }

  /** Ends the turn where a generation is to change its place, or is fed in another way. Never throws. */
  async settlePlaces(): Promise<void> {
    const { placement, held, kinds, over } = this.#turn ?? {};
    if (placement === undefined || held === undefined || kinds === undefined) return;
    try {
      if (await placement.isDue(held, kinds)) over?.abort();
    } catch (error) {
      warnSeldom(this.options.log, error, 'the places of read models could not be looked at');
    }
  }

  /** Begins to build read models anew that are ahead of the store, when the turn is over. @throws Fault of Redis. */
  async rebuild(): Promise<void> {
    const { layoutId } = this.options.identity;
    projectorMetrics.rebuilds.inc(this.#ahead.length);
    await settleAll(this.#ahead.map((partition) => partition.beginAgain('checkpoint', layoutId)));
  }

  get #rounds(): readonly Round[] {
    return this.#turn?.rounds ?? [];
  }

  /** One look at a time: the next one begins when it is over. */
  #lookAtGate(signal: AbortSignal): void {
    const { gate, held } = this.#turn ?? {};
    if (gate === undefined || held === undefined || this.#isLooking) return;
    this.#isLooking = true;
    this.#gateLooks = gate.look(held, signal).finally(() => {
      this.#isLooking = false;
    });
  }

  #isLooking = false;

  /** How far behind, how much is built, and whether the store has lost events. */
  async #measure(): Promise<void> {
    if (this.#turn === undefined) return;
    const { store, log } = this.options;
    const { held, over, figures } = this.#turn;
    const ages = await Ages.open(store);
    const { head } = ages;
    this.#head = head;
    this.#reportBuild();
    await this.#findAhead(held, head);
    if (this.#ahead.length > 0) {
      const message = 'the event store has lost events: read models are built anew beside the old';
      log.warn({ head }, message);
      over.abort();
    }
    await figures.measure(held, ages);
  }

  async #findAhead(held: readonly ReadModelPartition[], head: Position): Promise<void> {
    const answering = held.flatMap((partition) => {
      const [here, built] = [partition.at('checkpoint'), partition.at('building')];
      if (here === undefined) return [];
      // A generation that is built for another purpose may be held for days, and is built again afterwards.
      const isReplaced = built?.checkpoint.generation === here.checkpoint.generation;
      return isReplaced ? [] : { partition, position: here.position };
    });
    const ahead = await this.#aheadOfStore.find(answering, head, performance.now());
    this.#ahead = ahead.map(({ partition }) => partition);
  }

  #reportBuild(): void {
    const building = this.#rounds.find(({ isCatchingUp }) => isCatchingUp);
    const share = building === undefined ? 1 : findShare(building.watermark, this.#head);
    if (share === undefined) return;
    projectorMetrics.builtShare.set(share);
    if (building !== undefined) this.options.onProgress?.(share);
  }

  async #retryParked(): Promise<void> {
    for (const round of this.#rounds) if (round.isCaughtUp) await round.retryParked();
  }

  async #tidy(signal: AbortSignal): Promise<void> {
    const { redis, names: own } = this;
    const { identity: ledger, holder, log, formerKeptMs: keptMs } = this.options;
    await touchReadModels(redis, ledger, own);
    await retireReadModels({ redis, ledger, own, holder, log, signal, keptMs });
    await deleteLeftovers(redis, ledger.layoutId, this.#turn?.held ?? [], signal);
  }
}

/** Positions are counted from the beginning of the log, in events or in bytes. Undefined for no log. */
function findShare(position: Position, head: Position): number | undefined {
  const end = Number(head);
  return end === 0 ? undefined : Math.min(1, Number(position) / end);
}
