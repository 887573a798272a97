import { StoreExchanged } from '#event-store';
import {
  groupBy,
  jitteredDelayMs,
  settleAll,
  showMetrics,
  sleepUnlessAborted,
  untilAborted,
  warnSeldom,
} from '#platform';
import type { Redis } from '#redis';
import { checkProjections } from '../define/index.js';
import { MOVE_BEFORE_CHANGE_MS, OPEN_AGAIN_BASE_MS, OPEN_AGAIN_CAP_MS } from '../limits.js';
import { projectorMetrics } from '../metrics.js';
import type { PartitionDocuments } from '../partition/partition-documents.js';
import { Round, type RoundOptions } from '../round/round.js';
import { AwaitedPositions, listenForWaits } from '../stored/awaited-positions.js';
import { connectForWriting } from '../stored/connections.js';
import { preparePartitions } from './preparation.js';
import { type ProjectorOptions, Shares } from './shares.js';
import { Watch } from './watch.js';

/**
 * Feeds the read models from the event store until it is stopped (rules/events 6). Several may run at once, also of
 * different releases, each with its share of the partitions of each read model that it knows (decision 0009). Documents
 * lost in Redis are built anew, and the log says so.
 *
 * @returns when `signal` is aborted, after its partitions were given back.
 * @throws StoreExchanged; Error when the projections contradict each other.
 */
export async function runProjector(options: ProjectorOptions): Promise<void> {
  checkProjections(options.projections);
  showMetrics(Object.values(projectorMetrics));
  const redis = connectForWriting(options.redis);
  try {
    await new ProjectorRun(redis, options).run();
  } finally {
    redis.disconnect();
  }
}

/** The work on the partitions held at a time. */
interface Turn {
  readonly over: AbortController;
  /** It has got further than its beginning, has ended, or had its time. */
  readonly moved: Promise<unknown>;
  readonly ended: Promise<void>;
}

/**
 * A projector at work. Each turn feeds the partitions that are held at its beginning: one round for the read
 * models that answer, another one for those that are being built. A turn is over when other partitions are
 * held, when something has been built, and after any failure: the next one looks where everything stands.
 */
class ProjectorRun {
  readonly #shares: Shares;
  readonly #end = new AbortController();
  readonly #signal: AbortSignal;
  readonly #watch: Watch;
  readonly #awaited = new AwaitedPositions();
  #turn: Turn | undefined;
  /** In a row, without getting further in between. */
  #failures = 0;
  #isReady = false;

  constructor(
    private readonly redis: Redis,
    private readonly options: ProjectorOptions,
  ) {
    this.#signal = AbortSignal.any([options.signal, this.#end.signal]);
    this.#shares = new Shares(redis, options, () => this.#endTurn());
    const names = this.#shares.readModels.map(({ name }) => name);
    this.#watch = new Watch(redis, options, names, () => this.#becomeReady());
  }

  async run(): Promise<void> {
    const { redis, identity } = this.options;
    const endListening = listenForWaits(redis, identity.layoutId, this.#awaited);
    try {
      await this.#shares.begin(this.#signal);
      const turns = this.#takeTurns().finally(() => this.#end.abort());
      await settleAll([turns, this.#shares.keep(this.#signal)]);
    } finally {
      await this.#shares.giveBack();
      endListening();
    }
  }

  /** @throws StoreExchanged: another turn would end the same way. */
  async #takeTurns(): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        this.#turn = this.#beginTurn();
        await this.#turn.ended;
        this.#failures = 0;
      } catch (error) {
        if (error instanceof StoreExchanged) throw error;
        warnSeldom(this.options.log, error, 'the read models are opened again');
        const waitMs = jitteredDelayMs(this.#failures, OPEN_AGAIN_BASE_MS, OPEN_AGAIN_CAP_MS);
        this.#failures += 1;
        await sleepUnlessAborted(waitMs, this.#signal);
      }
    }
  }

  #beginTurn(): Turn {
    const over = new AbortController();
    let onMoved: () => void = () => undefined;
    const hasMoved = new Promise<void>((resolve) => (onMoved = resolve));
    const signal = AbortSignal.any([this.#signal, over.signal]);
    const ended = this.#feed(over, signal, onMoved);
    const hadItsTime = sleepUnlessAborted(MOVE_BEFORE_CHANGE_MS, signal);
    const moved = Promise.race([hasMoved, Promise.allSettled([ended]), hadItsTime]);
    return { over, ended, moved };
  }

  /**
   * Ends the turn at the end of a batch, since other partitions are held now. It gets further first: where
   * partitions change hands more often than a turn can begin, nothing would be read any more.
   */
  async #endTurn(): Promise<void> {
    const turn = this.#turn;
    await turn?.moved;
    turn?.over.abort();
    await Promise.allSettled([turn?.ended]);
  }

  /** @throws the error that has ended it: a Fault of store or Redis; StoreExchanged. */
  async #feed(over: AbortController, signal: AbortSignal, onMoved: () => void): Promise<void> {
    const readModels = this.#shares.open();
    if (readModels.length === 0) {
      // Others hold everything: there is nothing to wait for, and nothing to tell of.
      onMoved();
      this.#becomeReady();
      projectorMetrics.parked.set(0);
      return untilAborted(signal);
    }
    await preparePartitions(this.options, readModels);
    const lost: unknown[] = [];
    const rounds = this.#formRounds(readModels, {
      signal,
      onMoved,
      onCaughtUp: (round) => void this.#watch.settle(round),
      onLost: (error) => {
        lost.push(error);
        over.abort();
      },
    });
    await this.#watch.begin({ rounds, readModels, over });
    await Promise.all([this.#watch.run(signal), ...rounds.map((round) => round.run())]);
    if (lost.length > 0) throw lost[0];
    await settleAll(rounds.map((round) => round.leave()));
    await this.#watch.rebuild();
  }

  /** One of the read models that answer, and one of those that are being built. All of them have to move. */
  #formRounds(
    readModels: readonly PartitionDocuments[],
    { onMoved, ...turn }: Pick<RoundOptions, 'signal' | 'onMoved' | 'onCaughtUp' | 'onLost'>,
  ): readonly Round[] {
    const { store, log, identity } = this.options;
    const place = { store, redis: this.redis, count: identity.partitions, awaited: this.#awaited };
    const waiting = new Set<Round>();
    const onRoundMoved = (round: Round) => {
      if (!waiting.delete(round) || waiting.size > 0) return;
      this.#failures = 0;
      onMoved(round);
    };
    for (const group of groupBy(readModels, ({ isBuilding }) => String(isBuilding))) {
      waiting.add(new Round({ ...place, log, ...turn, onMoved: onRoundMoved }, group));
    }
    return [...waiting];
  }

  #becomeReady(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    this.options.onReady?.();
  }
}
