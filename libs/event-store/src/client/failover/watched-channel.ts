/**
 * Tells a node that is busy from one that is silent (decision 0005). A frozen node keeps its connection open, and one
 * that leads no more may take an append and never answer it: neither ends a call.
 */
import {
  type ChannelInterface,
  connectivityState,
  type Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import type { CallListener } from '../grpc-internals.js';
import { PROBE_AFTER_TICKS } from '../../streams/limits.js';
import type { ProbeOutcome } from './leader-probe.js';
import { type Fruitless, NOTHING_TRIED, silenceLimitTicks } from './silence-limit.js';

type ChannelCall = ReturnType<ChannelInterface['createCall']>;

/** A call of which silence is counted, and which is ended where the node is silent. */
export type WatchedCall = Pick<ChannelCall, 'cancelWithStatus'>;

export interface ChannelWatchOptions {
  readonly tickMs: number;
  /** Whether there are other nodes to go to. */
  readonly isCluster: boolean;
  readonly fruitless: Fruitless;
  /** Asks the node for a sign of life; `needsLeader` where calls are open that only a leader serves. */
  readonly probe: (channel: ChannelInterface, needsLeader: boolean) => Promise<ProbeOutcome>;
  /** Called before the calls of a node that leads no more are ended: the next ones look for the leader. */
  readonly onNotLeader: (channel: ChannelInterface, error: ServiceError) => Promise<void>;
}

/** A tick that is later than this was held up: by our own work, or by a machine that has none left for us. */
const LATE_TICK_MS = 50;

/** Codes that our own side gives, too: they are no sign of life. */
const MAY_BE_OURS = new Set<number>([
  status.UNAVAILABLE,
  status.CANCELLED,
  status.DEADLINE_EXCEEDED,
]);

/**
 * A channel of which all calls end with `UNAVAILABLE` when the node is silent. Time is counted in ticks of our own event
 * loop: answers that came meanwhile are handled between two of them, and a tick that is late is not counted, so a blocked
 * loop is no silence of the node. When the client has moved on and closed the channel, no question can be asked over it
 * any more, and calls that were left on it end by silence alone.
 */
export class WatchedChannel implements ChannelInterface {
  readonly #options: ChannelWatchOptions;
  readonly #timer: NodeJS.Timeout;
  /** The open calls, and whether each is for the leader alone. */
  readonly #calls = new Map<WatchedCall, boolean>();
  #tickedAt = performance.now();
  #silentTicks = 0;
  #isProbed = false;
  #isClosed = false;

  /** @param inner grpc-js's own channel. */
  constructor(
    readonly inner: ChannelInterface,
    options: ChannelWatchOptions,
  ) {
    this.#options = options;
    this.#timer = setInterval(() => this.#tick(), options.tickMs).unref();
  }

  createCall(...request: Parameters<ChannelInterface['createCall']>): ChannelCall {
    return this.#follow(this.inner.createCall(...request));
  }

  /** Opens a call otherwise than by `createCall`, and watches it as well. */
  watch<Call extends WatchedCall>(
    metadata: Metadata,
    open: (listener: CallListener) => Call,
    listener: CallListener,
  ): Call {
    const opened: { call?: Call } = {};
    const call = open(this.#listen(() => opened.call, listener));
    opened.call = call;
    this.#begin(call, metadata);
    return call;
  }

  close(): void {
    this.#isClosed = true;
    this.inner.close();
  }

  getTarget(): string {
    return this.inner.getTarget();
  }

  getConnectivityState(tryToConnect: boolean): connectivityState {
    return this.inner.getConnectivityState(tryToConnect);
  }

  watchConnectivityState(...watch: Parameters<ChannelInterface['watchConnectivityState']>): void {
    this.inner.watchConnectivityState(...watch);
  }

  getChannelzRef(): ReturnType<ChannelInterface['getChannelzRef']> {
    return this.inner.getChannelzRef();
  }

  #follow(call: ChannelCall): ChannelCall {
    const start = call.start.bind(call);
    call.start = (metadata, listener) => {
      this.#begin(call, metadata);
      start(
        metadata,
        this.#listen(() => call, listener),
      );
    };
    return call;
  }

  #begin(call: WatchedCall, metadata: Metadata): void {
    // A first call after a pause: the time before it was no silence.
    if (this.#calls.size === 0) this.#silentTicks = 0;
    this.#calls.set(call, isForLeader(metadata));
  }

  #listen(ended: () => WatchedCall | undefined, listener: CallListener): CallListener {
    return {
      onReceiveMetadata: (metadata) => {
        this.#hear();
        listener.onReceiveMetadata(metadata);
      },
      onReceiveMessage: (message: unknown) => {
        this.#hear();
        listener.onReceiveMessage(message);
      },
      onReceiveStatus: (ending) => {
        const call = ended();
        if (call !== undefined) this.#calls.delete(call);
        if (!MAY_BE_OURS.has(ending.code)) this.#hear();
        listener.onReceiveStatus(ending);
      },
    };
  }

  #hear(): void {
    this.#silentTicks = 0;
    Object.assign(this.#options.fruitless, NOTHING_TRIED);
  }

  #tick(): void {
    const now = performance.now();
    const isLate = now - this.#tickedAt > this.#options.tickMs + LATE_TICK_MS;
    this.#tickedAt = now;
    if (this.#calls.size === 0) this.#silentTicks = 0;
    else if (!isLate) this.#silentTicks += 1;
    if (this.#silentTicks >= this.#silenceLimitTicks()) this.#leaveSilentNode();
    else if (this.#silentTicks >= PROBE_AFTER_TICKS && !this.#isProbed && !this.#isClosed) {
      void this.#probe();
    }
    if (this.#isClosed && this.#calls.size === 0) clearInterval(this.#timer);
  }

  #silenceLimitTicks(): number {
    const { isCluster, fruitless } = this.#options;
    const isNamedAgain = isCluster && fruitless.silentNode === this.getTarget();
    return silenceLimitTicks(fruitless, { isDialling: this.#isDialling(), isNamedAgain });
  }

  #leaveSilentNode(): void {
    if (!this.#isDialling()) this.#options.fruitless.silences += 1;
    this.#options.fruitless.silentNode = this.getTarget();
    this.#silentTicks = 0;
    this.#end([...this.#calls.keys()], 'the node answers nothing, not even a probe');
  }

  #isDialling(): boolean {
    const state = this.getConnectivityState(false);
    return !this.#isClosed && state !== connectivityState.READY;
  }

  /** Asks, while calls are open of which nothing was heard; silence goes on being counted meanwhile. */
  async #probe(): Promise<void> {
    this.#isProbed = true;
    const isLeaderNeeded = [...this.#calls.values()].includes(true);
    const outcome = await this.#options.probe(this, isLeaderNeeded);
    this.#isProbed = false;
    if (outcome.kind !== 'not_leader') return;
    const calls = [...this.#calls].filter(([, forLeader]) => forLeader).map(([call]) => call);
    await this.#options.onNotLeader(this, outcome.error);
    this.#end(calls, 'the node leads no more');
  }

  #end(calls: readonly WatchedCall[], why: string): void {
    for (const call of calls) call.cancelWithStatus(status.UNAVAILABLE, why);
  }
}

function isForLeader(metadata: Metadata): boolean {
  return metadata.get('requires-leader').includes('true');
}
