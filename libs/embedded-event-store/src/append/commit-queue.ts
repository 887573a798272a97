import { toError, Unavailable } from '../failures.js';
import { MAX_STAGED_BYTES } from '../limits.js';
import type { Commit, LogStore, StagedEvent } from '../storage/log-store.js';

interface Batch extends Commit {
  readonly streamNames: Set<string>;
  appends: number;
  bytes: number;
  lastPosition: number;
  readonly written: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Far below the time of a sync on a slow disk, and above that of a burst of requests. */
const GATHERING_MS = 2;

/** More would leave the clients idle while a commit is written, less would waste commits. */
const WORTHWHILE_SHARE = 0.75;

/**
 * Of so few appends the next ones come within that time after their answers, or not at all: one that comes later
 * waits for none. A purchase alone appends two at once, and then single ones.
 */
const FEW_APPENDS = 4;

/** An act that waits for its turn. */
interface Turn {
  readonly act: () => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface CommitListener {
  /** Everything up to `position` is on disk and readable; these streams have new events. */
  committed(position: number, streamNames: ReadonlySet<string>): void;
  /** The disk refused: memory is ahead of it, so the process must end. */
  failed(error: Error): void;
}

/**
 * Events on their way to the disk. While one commit is being written, everything that is staged
 * becomes the next one: the more there is to do, the more one sync carries. A commit costs the same
 * whether it carries one append or fifty, so a commit waits a moment for most of the appends that
 * were lately in flight; a lone append never waits. Left to lmdb, the grouping gave batches of
 * three to eight at 64 in flight, and half of the throughput.
 */
export class CommitQueue {
  #staged = newBatch();
  #writing: Batch | undefined;
  #durablePosition: number;
  #lastPosition: number;
  #failure: Error | undefined;
  /** Start the next commit with that many appends, or when the time for gathering is over. */
  #worthwhile = 1;
  /** Whether a few alone were lately in flight, and when they were answered, by the monotonic clock. */
  #wereFew = true;
  #answeredAtMs = -Infinity;
  #gathering: NodeJS.Timeout | undefined;
  #isStarting = false;
  #turn: Turn | undefined;

  constructor(
    private readonly store: LogStore,
    private readonly listener: CommitListener,
  ) {
    this.#durablePosition = store.lastPosition();
    this.#lastPosition = this.#durablePosition;
  }

  /** The position of the last event that is on disk. */
  get durablePosition(): number {
    return this.#durablePosition;
  }

  /** The position that the next staged event must have. */
  get nextPosition(): number {
    return this.#lastPosition + 1;
  }

  /** True while more is waiting for the disk than should; callers then stop reading requests. */
  get isCongested(): boolean {
    return this.#staged.bytes > MAX_STAGED_BYTES;
  }

  /** Throws when the store can no longer write. */
  assertWritable(): void {
    if (this.#failure) throw new Unavailable('The event store can no longer write and is ending.');
  }

  stageStream(name: string, stream: number): void {
    this.#staged.newStreams.push({ name, stream });
  }

  /**
   * Adds an event to the commit that is being gathered; `appendStaged` must follow in this turn.
   */
  stage(streamName: string, event: StagedEvent): void {
    this.#staged.events.push(event);
    this.#staged.streamNames.add(streamName);
    this.#staged.bytes += event.record.length;
    this.#staged.lastPosition = event.position;
    this.#lastPosition = event.position;
  }

  /** All events of one append are staged: they are committed together. */
  appendStaged(): void {
    this.#staged.appends += 1;
    if (!this.#writing) this.#gather();
  }

  /** Resolves when the event at `position`, staged or older, is on disk. */
  async written(position: number): Promise<void> {
    if (position <= this.#durablePosition) return;
    const writing = this.#writing;
    await (writing && position <= writing.lastPosition ? writing : this.#staged).written;
  }

  /**
   * Runs an act while nothing is written; events staged meanwhile are committed after it. Its failure is that of a
   * commit: nothing more is written.
   */
  exclusively(act: () => Promise<void>): Promise<void> {
    this.assertWritable();
    return new Promise((resolve, reject) => {
      this.#turn = { act, resolve, reject };
      if (!this.#writing && !this.#isStarting) void this.#takeTurn(this.#turn);
    });
  }

  /** Nothing more is written; waiting appends are refused, their outcome not known. */
  abandon(reason: Error): void {
    this.#failure ??= reason;
    clearTimeout(this.#gathering);
    this.#refuse(this.#staged);
    this.#turn?.reject(reason);
  }

  /** Resolves when nothing is on its way any more. */
  async idle(): Promise<void> {
    await this.written(this.#lastPosition).catch(() => undefined);
  }

  #gather(): void {
    if (this.#isStarting || this.#failure || this.#staged.appends === 0) return;
    const isWorthwhile = this.#staged.appends >= this.#worthwhile;
    if (isWorthwhile || (this.#wereFew && performance.now() - this.#answeredAtMs > GATHERING_MS)) {
      this.#start();
      return;
    }
    this.#gathering ??= setTimeout(() => this.#start(), GATHERING_MS);
  }

  #start(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#isStarting = true;
    // Requests that arrived together are read in one turn: let the turn end first.
    setImmediate(() => void this.#write());
  }

  async #write(): Promise<void> {
    if (this.#failure) return;
    const batch = this.#staged;
    this.#staged = newBatch();
    this.#writing = batch;
    this.#isStarting = false;
    try {
      await this.store.commit(batch);
    } catch (error) {
      this.#fail(toError(error), batch);
      return;
    }
    this.#writing = undefined;
    this.#durablePosition = batch.lastPosition;
    const inFlight = batch.appends + this.#staged.appends;
    this.#worthwhile = Math.ceil(inFlight * WORTHWHILE_SHARE);
    this.#wereFew = inFlight <= FEW_APPENDS;
    this.#answeredAtMs = performance.now();
    this.listener.committed(batch.lastPosition, batch.streamNames);
    batch.resolve();
    if (this.#turn) await this.#takeTurn(this.#turn);
    else this.#gather();
  }

  async #takeTurn({ act, resolve, reject }: Turn): Promise<void> {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#turn = undefined;
    this.#isStarting = true;
    try {
      await act();
    } catch (error) {
      const failure = toError(error);
      this.#fail(failure);
      reject(failure);
      return;
    }
    this.#isStarting = false;
    resolve();
    this.#gather();
  }

  #fail(error: Error, ...lost: Batch[]): void {
    this.#failure ??= error;
    for (const batch of [...lost, this.#staged]) this.#refuse(batch);
    this.#turn?.reject(error);
    this.listener.failed(error);
  }

  #refuse(lost: Batch): void {
    lost.written.catch(() => undefined);
    lost.reject(new Unavailable('The event store failed to write; the outcome is not known.'));
  }
}

function newBatch(): Batch {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const written = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return {
    newStreams: [],
    events: [],
    streamNames: new Set(),
    appends: 0,
    bytes: 0,
    lastPosition: 0,
    written,
    resolve,
    reject,
  };
}
