/**
 * Tells a node that is busy from one that is silent (decision 0005). A frozen node keeps its connection open, and one
 * that leads no more may take an append and never answer it: neither ends a call.
 */
import {
  type Channel,
  connectivityState,
  type Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import type { ProbeOutcome } from './leader-probe.js';
import { PROBE_AFTER_TICKS } from '../streams/limits.js';
import { type Fruitless, NOTHING_TRIED, patienceTicks } from './patience.js';

type ChannelCall = ReturnType<Channel['createCall']>;
export type CallListener = Parameters<ChannelCall['start']>[1];

/** A call of which silence is counted, and which is ended where the node is silent. */
export type WatchedCall = Pick<ChannelCall, 'cancelWithStatus'>;

export interface ChannelWatchOptions {
  readonly tickMs: number;
  /** Whether there are other nodes to go to. */
  readonly isCluster: boolean;
  readonly fruitless: Fruitless;
  /** Asks the node for a sign of life; `needsLeader` where calls are open that only a leader serves. */
  readonly probe: (channel: Channel, needsLeader: boolean) => Promise<ProbeOutcome>;
  /** Called before the calls of a node that leads no more are ended: the next ones look for the leader. */
  readonly onNotLeader: (channel: Channel, error: ServiceError) => Promise<void>;
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
 * Watches all calls of one channel. Time is counted in ticks of our own event loop: what came meanwhile is handled
 * between two of them, and a tick that is late is not counted, so a blocked loop is no silence of the node.
 */
export class ChannelWatch {
  static readonly #started = new WeakMap<Channel, ChannelWatch>();
  readonly #channel: Channel;
  readonly #options: ChannelWatchOptions;
  readonly #timer: NodeJS.Timeout;
  /** The open calls, and whether each is for the leader alone. */
  readonly #calls = new Map<WatchedCall, boolean>();
  #tickedAt = performance.now();
  #silentTicks = 0;
  #isProbed = false;
  #isClosed = false;

  private constructor(channel: Channel, options: ChannelWatchOptions) {
    this.#channel = channel;
    this.#options = options;
    this.#timer = setInterval(() => this.#tick(), options.tickMs).unref();
  }

  /**
   * From now on the channel's calls end with `UNAVAILABLE` when the node is silent. When the client has moved on and
   * closed it, no question can be asked over it any more, and calls that were left on it end by silence alone.
   */
  static start(channel: Channel, options: ChannelWatchOptions): void {
    const watch = new ChannelWatch(channel, options);
    ChannelWatch.#started.set(channel, watch);
    const createCall = channel.createCall.bind(channel);
    channel.createCall = (...request) => watch.#follow(createCall(...request));
    const close = channel.close.bind(channel);
    channel.close = () => {
      watch.#isClosed = true;
      close();
    };
  }

  /** Opens a call on the channel's connection itself, and watches it as those that the channel makes. */
  static open<Call extends WatchedCall>(
    channel: Channel,
    metadata: Metadata,
    create: (listener: CallListener) => Call,
    listener: CallListener,
  ): Call {
    const watch = ChannelWatch.#started.get(channel);
    if (watch === undefined) return create(listener);
    const holder: { call?: Call } = {};
    const call = create(watch.#listen(() => holder.call, listener));
    holder.call = call;
    watch.#begin(call, metadata);
    return call;
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
    if (this.#silentTicks >= this.#patienceTicks()) this.#leaveSilentNode();
    else if (this.#silentTicks >= PROBE_AFTER_TICKS && !this.#isProbed && !this.#isClosed) {
      void this.#probe();
    }
    if (this.#isClosed && this.#calls.size === 0) clearInterval(this.#timer);
  }

  #patienceTicks(): number {
    const { isCluster, fruitless } = this.#options;
    const isNamedAgain = isCluster && fruitless.silentNode === this.#channel.getTarget();
    return patienceTicks(fruitless, { isDialling: this.#isDialling(), isNamedAgain });
  }

  #leaveSilentNode(): void {
    if (!this.#isDialling()) this.#options.fruitless.silences += 1;
    this.#options.fruitless.silentNode = this.#channel.getTarget();
    this.#silentTicks = 0;
    this.#end([...this.#calls.keys()], 'the node answers nothing, not even a probe');
  }

  #isDialling(): boolean {
    const state = this.#channel.getConnectivityState(false);
    return !this.#isClosed && state !== connectivityState.READY;
  }

  /** Asks, while calls are open of which nothing was heard; silence goes on being counted meanwhile. */
  async #probe(): Promise<void> {
    this.#isProbed = true;
    const isLeaderNeeded = [...this.#calls.values()].includes(true);
    const outcome = await this.#options.probe(this.#channel, isLeaderNeeded);
    this.#isProbed = false;
    if (outcome.kind !== 'not_leader') return;
    const calls = [...this.#calls].filter(([, forLeader]) => forLeader).map(([call]) => call);
    await this.#options.onNotLeader(this.#channel, outcome.error);
    this.#end(calls, 'the node leads no more');
  }

  #end(calls: readonly WatchedCall[], why: string): void {
    for (const call of calls) call.cancelWithStatus(status.UNAVAILABLE, why);
  }
}

function isForLeader(metadata: Metadata): boolean {
  return metadata.get('requires-leader').includes('true');
}
