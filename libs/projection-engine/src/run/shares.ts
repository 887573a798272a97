import type { LedgerStore } from '#event-store';
import { type Log, warnSeldom } from '#platform';
import type { Redis } from '#redis';
import type { Projection } from '../define/index.js';
import { LeaseKeeper } from '../leases/lease-keeper.js';
import { type Lease, Leases } from '../leases/leases.js';
import { CACHED_DOCUMENTS, LEASE_MS, TICK_MS } from '../limits.js';
import { ReadModelPartition } from '../partition/read-model-partition.js';
import type { CheckStreams } from './gate-findings.js';
import type { Obstacle } from '../stored/obstacles.js';
import { findReadModel, type LedgerIdentity, type ReadModel } from '../stored/keys.js';

/** The options of `runProjector`. */
export interface ProjectorOptions {
  readonly store: LedgerStore;
  /** The address of Redis. */
  readonly redis: string;
  readonly signal: AbortSignal;
  /** Called once: all of history is in this process's partitions, or it holds none. */
  readonly onReady?: () => void;
  /** How much of history is in a generation under construction, from 0 to 1; called about once a second. */
  readonly onProgress?: (share: number) => void;
  /** Called with the read models that do not answer until an operator acts, at each change. */
  readonly onObstacles?: (obstacles: readonly Obstacle[]) => void;
  /** Compares documents of a generation with the events by the domain alone, for the gate. */
  readonly checkStreams: CheckStreams;
  /** How long former generations, and read models of a release that is gone, are kept, in milliseconds. */
  readonly formerKeptMs: number;
  /** For how long the store has to be behind its read models until that is believed, in milliseconds. */
  readonly aheadBelievedAfterMs?: number;
  readonly identity: LedgerIdentity;
  readonly projections: readonly Projection<unknown>[];
  /** The name of this process; no other projector that runs has it. */
  readonly holder: string;
  readonly log: Log;
  /** How long a lease lasts, and how often it is looked at, in milliseconds. */
  readonly leases?: { readonly lastsMs: number; readonly everyMs: number };
}

interface Share {
  readonly projection: Projection<unknown>;
  readonly readModel: ReadModel;
  readonly keeper: LeaseKeeper;
  leases: readonly Lease[];
}

/** The partitions of each read model that this process holds, by its leases. */
export class Shares {
  readonly #shares: readonly Share[];

  /** @param onChange resolves when nothing of partitions that are held no more is under way. */
  constructor(
    private readonly redis: Redis,
    private readonly options: ProjectorOptions,
    onChange: () => Promise<void>,
  ) {
    // Each process begins to take partitions somewhere else: with the same ones of each read model.
    const first = Math.floor(Math.random() * options.identity.partitions);
    this.#shares = options.projections.map((each) => this.#create(each, first, onChange));
  }

  get readModels(): readonly ReadModel[] {
    return this.#shares.map(({ readModel }) => readModel);
  }

  /** Takes free partitions, when Redis has answered once; never throws. */
  async begin(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#shares.map(({ keeper }) => keeper.begin(signal)));
    await Promise.all(this.#shares.map(({ keeper }) => keeper.settled()));
  }

  /** Runs until the signal is aborted; never throws. */
  async keep(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#shares.map(({ keeper }) => keeper.run(signal)));
  }

  /** Gives back the held partitions: a lease that cannot be given back runs out. Never throws. */
  async giveBack(): Promise<void> {
    await Promise.all(this.#shares.map(({ keeper }) => keeper.stop())).catch((error: unknown) => {
      warnSeldom(this.options.log, error, 'partitions could not be given back');
    });
  }

  /** Opens the partitions held now; they are to be loaded before they are used. */
  open(): ReadModelPartition[] {
    const count = this.#shares.reduce((sum, { leases }) => sum + leases.length, 0);
    const cachedDocuments = Math.ceil(CACHED_DOCUMENTS / Math.max(1, count));
    return this.#shares.flatMap(({ projection, readModel, leases }) =>
      readModel.partitions.flatMap((keys) => {
        const lease = leases.find(({ partition }) => partition === keys.number);
        if (lease === undefined) return [];
        const { fence } = lease;
        const options = { name: readModel.name, projection, keys, fence, cachedDocuments };
        return [new ReadModelPartition(this.redis, options)];
      }),
    );
  }

  #create(projection: Projection<unknown>, first: number, onChange: () => Promise<void>): Share {
    const { identity, holder, log, leases: times = DEFAULT_LEASES } = this.options;
    const { lastsMs, everyMs } = times;
    const readModel = findReadModel(projection, identity);
    const leases = new Leases({ redis: this.redis, keys: readModel.leases, holder, lastsMs });
    const worker = {
      workOn: async (held: readonly Lease[]) => {
        share.leases = held;
        await onChange();
      },
    };
    const count = identity.partitions;
    const keeper = new LeaseKeeper({ leases, count, first, worker, everyMs, log });
    const share: Share = { projection, readModel, keeper, leases: [] };
    return share;
  }
}

const DEFAULT_LEASES = { lastsMs: LEASE_MS, everyMs: TICK_MS };
