import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import path from 'node:path';
import type { Position } from '#domain/event';
import { runBooks, workInProcess } from '#books';
import { type LedgerStore, requireNamespace, watchLedger } from '#event-store';
import { Fault, type Log, reportProgress, type Shutdown, warnSeldom } from '#platform';
import {
  type Lease,
  LEASE_MS,
  LEASE_POLL_MS,
  LeaseKeeper,
  Leases,
  type PartitionWorker,
} from '#projection-engine';
import type { Redis } from '#redis';
import { readSealingKeys, runSealer, type SealingKeys, SealNotices, SealReader } from '#sealing';
import type { BookkeeperConfig } from './config.js';
import { showBooks, showFigures } from './metrics.js';
import { NoticeWriter } from './notice-writer.js';
import { CONFIG, EVENT_STORE, LOG, REDIS, SHUTDOWN } from './tokens.js';

/** The work is one: a single partition, which one bookkeeper holds. */
const PARTITIONS = 1;
/** So often the parent learns how far a long sealing is. */
const PROGRESS_EVERY_MS = 1_000;

/** The program that does DuckDB's work, beside this one. */
const BOOKS_FILES = path.join(import.meta.dirname, 'books-files.js');

/** A bookkeeper that seals, until its lease goes to another one. */
interface Sealing {
  readonly end: AbortController;
  readonly ended: Promise<void>;
}

/** Seals the ledger while this process holds the lease: the one holder's work, from start to stop. */
@Injectable()
export class SealingLoop implements BeforeApplicationShutdown, PartitionWorker {
  readonly #notices: NoticeWriter;
  #keeper: LeaseKeeper | undefined;
  #keys: SealingKeys | undefined;
  #sealing: Sealing | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStarted = false;
  #isCaughtUp = true;
  #onStopped: (error: unknown) => void = () => undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly store: LedgerStore,
    @Inject(CONFIG) private readonly config: BookkeeperConfig,
    @Inject(LOG) private readonly log: Log,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
    @Inject(REDIS) private readonly redis: Redis,
  ) {
    this.#notices = new NoticeWriter(new SealNotices(store), log);
  }

  /** @throws Fault until the ledger is sealed, by this process or by another one that holds the lease. */
  async requireCaughtUp(): Promise<void> {
    if (this.#isStarted && this.#isCaughtUp) return;
    throw new Fault('unavailable', 'the ledger is being sealed', { retryable: true });
  }

  /**
   * Resolves when it is known who seals; sealing then goes on.
   *
   * @param onStopped called with the error that ended the loop before a stop was asked for.
   * @throws SettingRefused for a key that is missing, or another one than the last checkpoint's; Fault.
   */
  async start(onStopped: (error: unknown) => void): Promise<void> {
    const { signal } = this.shutdown;
    const { store, log, config, redis } = this;
    this.#onStopped = onStopped;
    this.#keys = await readSealingKeys(config);
    const identity = await requireNamespace(store, log, signal);
    const last = await new SealReader(store).findLast();
    if (last !== undefined) this.#keys.requireKeyOf(last.checkpoint);
    watchLedger({ store, identity, signal, log }).catch(onStopped);
    const prefix = `{sl:${identity.layoutId}}:bookkeeper`;
    const keys = { members: `${prefix}:members`, prefix: () => prefix };
    const leases = new Leases({ redis, keys, holder: config.instanceName, lastsMs: LEASE_MS });
    const keeping = { leases, count: PARTITIONS, worker: this, everyMs: LEASE_POLL_MS, log };
    this.#keeper = new LeaseKeeper(keeping);
    await this.#keeper.begin(signal);
    await this.#keeper.settled();
    this.#isStarted = true;
    this.#looking = this.#keeper.run(signal);
  }

  async workOn(leases: readonly Lease[]): Promise<void> {
    this.#sealing?.end.abort();
    await this.#sealing?.ended;
    this.#sealing = leases.length > 0 ? this.#seal() : undefined;
    if (this.#sealing === undefined) {
      this.#isCaughtUp = true;
      showFigures({ leaves: 0, checkpointSize: 0, checkpointAtMs: 0 });
      showBooks({ size: 0, rows: 0, files: 0 });
    }
  }

  /** The lease is free for others when the last append has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#looking;
    await this.#keeper?.settled();
    await this.workOn([]);
    await this.#notices.settled();
    await this.#keeper?.stop().catch((error: unknown) => {
      warnSeldom(this.log, error, 'the lease was not given back; it runs out');
    });
  }

  #seal(): Sealing {
    const { store, config, log } = this;
    const keys = this.#keys;
    const end = new AbortController();
    this.#isCaughtUp = false;
    if (keys === undefined) throw new Error('the keys are read before the lease is asked for');
    const calls = {
      onCaughtUp: () => (this.#isCaughtUp = true),
      onCheckpoint: () => this.#notices.request(),
      onFigures: showFigures,
      onProgress: this.#reportProgress(),
    };
    const { sealOriginHost: originHost, sealIntervalMs: intervalMs } = config;
    const { signal } = end;
    const sealed = runSealer({ store, keys, originHost, intervalMs, signal, log, ...calls });
    const ends = [sealed, this.#keepBooks(signal)].map((each) => each.catch(this.#onStopped));
    return { end, ended: Promise.all(ends).then(() => undefined) };
  }

  /** Beside the sealing, which waits for none of it. */
  async #keepBooks(signal: AbortSignal): Promise<void> {
    const { store, log } = this;
    const { booksDir: folder, booksIntervalMs: intervalMs } = this.config;
    if (folder === undefined) return;
    const work = workInProcess(BOOKS_FILES);
    const onFigures = showBooks;
    await runBooks({ store, folder, work, intervalMs, signal, log, onFigures });
  }

  /** Tells how far a first sealing is, by the store's positions, once a second. */
  #reportProgress(): (upTo: Position) => void {
    let toldAtMs = performance.now();
    let head: Position | undefined;
    return (upTo) => {
      if (this.#isCaughtUp || performance.now() - toldAtMs < PROGRESS_EVERY_MS) return;
      toldAtMs = performance.now();
      if (head !== undefined && head !== '') {
        reportProgress('sealing the ledger', Math.min(1, Number(upTo) / Number(head)));
      }
      void this.store
        .headPosition()
        .then((position) => (head = position))
        .catch(() => undefined);
    };
  }
}
