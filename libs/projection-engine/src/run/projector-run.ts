import { requireSameLedger, StoreExchanged } from '#event-store';
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
import type { ReadModelPartition } from '../partition/read-model-partition.js';
import { Round, type RoundKind, type RoundOptions } from '../round/round.js';
import { AwaitedPositions, listenForWaits } from '../stored/awaited-positions.js';
import { connectForWriting } from '../stored/connections.js';
import { ReadModelActs } from './acts.js';
import { clearFigures, Figures } from './figures.js';
import { Gate } from './gate.js';
import { ObstacleWatch } from './obstacle-watch.js';
import { Placement } from './placement.js';
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

/** The guides of all turns, when the acts are known. */
interface Guides {
  readonly acts: ReadModelActs;
  readonly placement: Placement;
  readonly gate: Gate;
  readonly obstacles: ObstacleWatch;
  readonly figures: Figures;
}

/** The work on the partitions held at a time. */
interface Turn {
  readonly over: AbortController;
  /** It has got further than its beginning, has ended, or had its time. */
  readonly moved: Promise<unknown>;
  readonly ended: Promise<void>;
}

/**
 * A projector at work. Each turn brings the generations of the partitions that are held at its beginning to the places
 * that the acts ask for, and feeds them: one round for those that have all of history, another one for those that take
 * it in. A turn is over when other partitions are held, when something has been built or asked for, and after any
 * failure: the next one looks where everything stands.
 */
class ProjectorRun {
  readonly #shares: Shares;
  readonly #end = new AbortController();
  readonly #signal: AbortSignal;
  readonly #watch: Watch;
  readonly #awaited = new AwaitedPositions();
  #guides: Guides | undefined;
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
    const held = this.#shares.open();
    if (held.length === 0) {
      // Others hold everything: there is nothing to wait for, and nothing to tell of.
      onMoved();
      this.#becomeReady();
      projectorMetrics.parked.set(0);
      clearFigures();
      return untilAborted(signal);
    }
    const guides = await this.#prepare(held);
    const kinds = await guides.placement.findKinds(held);
    const lost: unknown[] = [];
    const rounds = this.#formRounds(kinds, {
      signal,
      onMoved,
      onCaughtUp: (round) => void this.#watch.settle(round),
      onLost: (error) => {
        lost.push(error);
        over.abort();
      },
    });
    await this.#watch.begin({ ...guides, rounds, kinds, held, over });
    await Promise.all([this.#watch.run(signal), ...rounds.map((round) => round.run())]);
    if (lost.length > 0) throw lost[0];
    await settleAll(rounds.map((round) => round.leave()));
    await this.#watch.rebuild();
  }

  /** Takes the steps that can be taken now; nothing is deleted. @throws Fault; StoreExchanged. */
  async #prepare(held: readonly ReadModelPartition[]): Promise<Guides> {
    const { store, identity } = this.options;
    // The keys name the store: another one's events at the same address must not get under them.
    await requireSameLedger(store, identity);
    this.#guides ??= await this.#findGuides();
    await Promise.all(held.map((partition) => partition.load()));
    await beginAheadOnesAgain(held, this.options);
    await this.#guides.placement.settle(held);
    return this.#guides;
  }

  async #findGuides(): Promise<Guides> {
    const { redis, options } = this;
    const { store, log, projections } = options;
    const names = projections.map(({ name }) => name);
    const onChange = () => void this.#watch.settlePlaces();
    const acts = await ReadModelActs.follow({
      store,
      log,
      projections: names,
      signal: this.#signal,
      onChange,
    });
    const parts = { ...options, redis, acts };
    const placement = new Placement(parts);
    const gate = new Gate({ ...parts, placement });
    const [obstacles, figures] = [new ObstacleWatch(parts), new Figures(parts)];
    return { acts, placement, gate, obstacles, figures };
  }

  /** One for each way of feeding. All of them have to move. */
  #formRounds(
    kinds: ReadonlyMap<PartitionDocuments, RoundKind>,
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
    for (const group of groupBy([...kinds], ([, kind]) => JSON.stringify(kind))) {
      const generations = group.map(([generation]) => generation);
      const [[, kind] = NO_KIND] = group;
      const options = { ...place, kind, log, ...turn, onMoved: onRoundMoved };
      waiting.add(new Round(options, generations));
    }
    return [...waiting];
  }

  #becomeReady(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    this.options.onReady?.();
  }
}

const NO_KIND = [undefined, { isCatchingUp: false, maxPerSecond: null }] as const;

/** A generation that was being built from a store that has lost events since is begun anew. */
async function beginAheadOnesAgain(
  held: readonly ReadModelPartition[],
  { store, identity }: Pick<ProjectorOptions, 'store' | 'identity'>,
): Promise<void> {
  const head = await store.headPosition();
  for (const partition of held) {
    const position = partition.at('building')?.position;
    if (position === undefined || position <= head || (await store.hasEventAt(position))) continue;
    await partition.beginAgain('building', identity.layoutId);
  }
}
