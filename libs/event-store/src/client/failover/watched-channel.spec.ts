import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ChannelInterface, connectivityState, Metadata } from '@grpc/grpc-js';
import type { CallListener } from '../grpc-internals.js';
import { WatchedChannel, type WatchedCall } from './watched-channel.js';
import {
  NAMED_AGAIN_AFTER_TICKS,
  SILENT_AFTER_TICKS,
  SILENT_AFTER_TICKS_AT_MOST,
} from '../../streams/limits.js';

const TICK_MS = 250;
/** Ticks until one that is silent is left, where nothing else was tried. */
const USUAL = SILENT_AFTER_TICKS;

const options = {
  tickMs: TICK_MS,
  isCluster: true,
  fruitless: { dials: 0, silences: 0 },
  // It is never answered.
  probe: () => new Promise<never>(() => undefined),
  onNotLeader: () => Promise.resolve(),
};

beforeEach(() => {
  vi.useFakeTimers();
  options.fruitless = { dials: 0, silences: 0 };
  options.isCluster = true;
});
afterEach(() => {
  vi.useRealTimers();
});

/** A call on a channel of its own. */
function callOver(state: connectivityState, node = 'node1') {
  const channel = {
    getTarget: () => node,
    getConnectivityState: () => state,
    close: vi.fn(),
    createCall: vi.fn(),
  };
  // The part of a channel that a watch uses.
  const watched = new WatchedChannel(channel as unknown as ChannelInterface, options);
  let end: CallListener | undefined;
  const ended: string[] = [];
  const create = (listener: CallListener): WatchedCall => {
    end = listener;
    return {
      cancelWithStatus: (code, details) => {
        ended.push(details);
        end?.onReceiveStatus({ code, details, metadata: new Metadata() });
      },
    };
  };
  const listener = {
    onReceiveMetadata: () => undefined,
    onReceiveMessage: () => undefined,
    onReceiveStatus: () => undefined,
  };
  watched.watch(new Metadata(), create, listener);
  return { ended, hear: () => end?.onReceiveMessage('an answer'), close: () => watched.close() };
}

/** @returns after how many ticks of silence the call was ended. */
function countTicks({ ended }: ReturnType<typeof callOver>): number {
  for (let ticks = 1; ticks <= 100; ticks += 1) {
    vi.advanceTimersByTime(TICK_MS);
    if (ended.length > 0) return ticks;
  }
  throw new Error('it was not ended');
}

describe('calls of a node that answers nothing', () => {
  it('are ended in the usual time on two connections, and then more slowly, to a limit', () => {
    const waits = Array.from({ length: 5 }, () => countTicks(callOver(connectivityState.READY)));
    const most = SILENT_AFTER_TICKS_AT_MOST;
    expect(waits).toEqual([USUAL, USUAL, 2 * USUAL, most, most]);
  });

  it('are ended in the usual time again once another has answered', () => {
    for (let n = 0; n < 4; n += 1) countTicks(callOver(connectivityState.READY));
    callOver(connectivityState.READY).hear();
    expect(countTicks(callOver(connectivityState.READY))).toBe(USUAL);
  });

  /** Each to a node of its own, or to the same one. */
  const dial = (node: string) => {
    options.fruitless.dials += 1;
    return countTicks(callOver(connectivityState.CONNECTING, node));
  };

  it('are ended in the usual time for longer where there is no connection yet', () => {
    const waits = Array.from({ length: 8 }, (_, n) => dial(`node${n}`));
    const most = SILENT_AFTER_TICKS_AT_MOST;
    expect(waits).toEqual([USUAL, USUAL, USUAL, USUAL, USUAL, 2 * USUAL, most, most]);
    // None of them counts against a connection.
    expect(countTicks(callOver(connectivityState.READY))).toBe(USUAL);
  });

  it('are ended sooner, and for ten seconds so, where the node that was left is named again', () => {
    countTicks(callOver(connectivityState.READY));
    const waits = Array.from({ length: 20 }, () => dial('node1'));
    const soon = NAMED_AGAIN_AFTER_TICKS;
    const most = SILENT_AFTER_TICKS_AT_MOST;
    const hasty = Array.from({ length: 16 }, () => soon);
    expect(waits).toEqual([...hasty, 2 * soon, 4 * soon, 8 * soon, most]);
  });

  it('are ended in the usual time by a node that is dialled again after it has answered', () => {
    countTicks(callOver(connectivityState.READY));
    callOver(connectivityState.READY).hear();
    expect(dial('node1')).toBe(USUAL);
  });

  it('are ended in the usual time by a node that is dialled again since there is no other', () => {
    options.isCluster = false;
    countTicks(callOver(connectivityState.READY));
    expect(dial('node1')).toBe(USUAL);
  });

  it('are ended after as many ticks as usual that are on time: a late one counts for nothing', () => {
    const call = callOver(connectivityState.READY);
    vi.advanceTimersByTime((USUAL - 1) * TICK_MS);
    const late = performance.now() + TICK_MS + 51;
    vi.spyOn(performance, 'now').mockReturnValueOnce(late);
    vi.advanceTimersByTime(TICK_MS);
    expect(call.ended).toEqual([]);
    vi.advanceTimersByTime(TICK_MS);
    expect(call.ended).toHaveLength(1);
  });

  it('are borne for longer on a connection that was closed with more to come', () => {
    for (let n = 0; n < 2; n += 1) countTicks(callOver(connectivityState.READY));
    const left = callOver(connectivityState.SHUTDOWN);
    left.close();
    expect(countTicks(left)).toBe(2 * USUAL);
  });

  it('end as unavailable, and say why', () => {
    const call = callOver(connectivityState.READY);
    countTicks(call);
    expect(call.ended).toEqual(['the node answers nothing, not even a probe']);
  });
});
