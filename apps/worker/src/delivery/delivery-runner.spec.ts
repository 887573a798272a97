import { describe, expect, it, jest } from '@jest/globals';
import type { SharedBreakers, SharedTokens } from '#endpoint-state';
import { Partitions } from '#event-store';
import { wallClock } from '#platform';
import type { RunningEndpoint } from '#tenancy';
import type { InFlightSet, Member } from '../feed/in-flight-set.js';
import { DELIVERIES_AT_ONCE, ENDPOINT_ATTEMPTS_AT_ONCE, FENCED_RETRY_MS } from '../limits.js';
import { at, createLease, nextTurn, silent } from '../spec-support/fakes.js';
import type { DeliveryAct, DeliveryOutcome } from './delivery-act.js';
import { DeliveryIntake } from './delivery-intake.js';
import { DeliveryRunner } from './delivery-runner.js';
import type { DeliverySettlement } from './delivery-settlement.js';
import { DeliveryUpkeep } from './delivery-upkeep.js';
import { EndpointBreakers } from './endpoint-breakers.js';
import { EndpointGate } from './endpoint-gate.js';
import { EndpointHealth } from './endpoint-health.js';
import { EndpointPacing } from './endpoint-pacing.js';
import type { EndpointPlaces } from './endpoint-places.js';
import type { Delivery } from './endpoint-queue.js';
import { EndpointQueues } from './endpoint-queues.js';
import type { FormerKeys } from './former-keys.js';
import type { RetryAlarm } from './retry-alarm.js';
import type { Retry, RetryQueue } from './retry-queue.js';

function delivery(n: number, target = 'whe_1', subject = `sub_${n}`): Delivery {
  const member = `${at(n)} ${target} ${subject} ${n} 0 msg_${n}`;
  const of = { position: at(n), target, streamName: subject, revision: n };
  return { member, ...of, messageId: `msg_${n}` };
}

/** A runner whose attempts are under way until they are ended. */
function create() {
  const runs: string[] = [];
  const ends = new Map<string, (outcome: DeliveryOutcome) => void>();
  const act: Partial<DeliveryAct> = {
    perform: ({ delivery: { messageId } }) => {
      runs.push(messageId);
      return new Promise((resolve) => ends.set(messageId, resolve));
    },
  };
  const settlement: Partial<DeliverySettlement> = {
    settle: async (queue, item, outcome) => {
      if (outcome.kind === 'ended') queue.remove(item);
      else if (outcome.kind === 'held') {
        queue.isHeld = true;
        queue.release(item);
      } else queue.postpone(item, { attempts: 1, firstFailedAtMs: 0, dueAtMs: 0, isAside: false });
    },
    stop: () => undefined,
  };
  const ended = new Set<string>();
  const there: string[] = [];
  const inFlight: Partial<InFlightSet> = {
    begin: async (members: readonly Member[]) =>
      members.map(({ member }) => member).filter((member) => !ended.has(member)),
    endLost: async (member) => void ended.add(member),
    async *pages() {
      yield there.map((member) => ({ member, dueAtMs: null }));
    },
  };
  const kept = new Map<string, Retry>();
  let wake: (retry: Retry) => void = () => undefined;
  const alarm: Partial<RetryAlarm> = {
    start: (act) => void (wake = act),
    check: async () => undefined,
    stop: async () => undefined,
  };
  const endpoints = new Map<string, RunningEndpoint['state']>([
    ['whe_1', 'enabled'],
    ['whe_2', 'enabled'],
  ]);
  let changed: (streamNames: ReadonlySet<string>) => void = () => undefined;
  const apps = {
    // What is not looked at here is left out.
    findEndpoint: async (endpointId: string) => {
      const state = endpoints.get(endpointId);
      return state && ({ endpointId, appId: `app_${endpointId}`, state } as RunningEndpoint);
    },
    onChange: (listener: typeof changed) => {
      changed = listener;
      return () => undefined;
    },
  };
  const lease = createLease();
  const queues = new EndpointQueues();
  const shared = { noteSuccess: async () => 0, forget: async () => undefined };
  const health = new EndpointHealth();
  const breakers = new EndpointBreakers(
    shared as Partial<SharedBreakers> as SharedBreakers,
    wallClock,
    silent,
  );
  const pacing = new EndpointPacing({
    take: async () => 0,
  } as Partial<SharedTokens> as SharedTokens);
  const places: Partial<EndpointPlaces> = { onRoom: () => undefined, hasRoom: () => true };
  const gate = new EndpointGate(health, breakers, pacing, places as EndpointPlaces);
  const partitions = new Partitions(1);
  const runner = new DeliveryRunner(
    queues,
    act as DeliveryAct,
    settlement as DeliverySettlement,
    gate,
    partitions,
    lease,
  );
  const retries: Partial<RetryQueue> = { readAll: async () => kept };
  /** What had ended when a former release's keys were removed. */
  const removals: string[][] = [];
  const former: Partial<FormerKeys> = { remove: async () => void removals.push([...ended]) };
  const intake = new DeliveryIntake(
    queues,
    runner,
    inFlight as InFlightSet,
    retries as RetryQueue,
    former as FormerKeys,
    apps,
  );
  const upkeep = new DeliveryUpkeep(
    queues,
    runner,
    gate,
    alarm as RetryAlarm,
    apps,
    lease,
    wallClock,
  );
  const end = async (messageId: string, outcome: DeliveryOutcome = { kind: 'ended' }) => {
    ends.get(messageId)?.(outcome);
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  };
  const begin = (...all: Delivery[]) =>
    intake.begin(all.map((each) => [each, `app_${each.target}`] as const));
  const around = { ended, there, kept, endpoints, lease, removals };
  const happen = {
    wake: (retry: Retry) => wake(retry),
    change: (id: string) => changed(new Set([id])),
  };
  return { upkeep, intake, runs, end, begin, ...around, ...happen };
}

const retry = ({ target, member, messageId }: Delivery, attempts: number): Retry => ({
  ...{ endpointId: target, messageId, member, attempts, firstFailedAtMs: 0 },
  ...{ dueAtMs: Date.now() + 60_000, isAside: false, reason: 'it answered 503' },
});

describe('deliveries', () => {
  it('wait until it is known whether Redis has lost something', async () => {
    const { upkeep, runs, begin } = create();
    await begin(delivery(1));
    expect(runs).toEqual([]);
    upkeep.start();
    expect(runs).toEqual(['msg_1']);
  });

  it('are not made again where they had ended: their batch came again', async () => {
    const { upkeep, runs, begin, ended } = create();
    upkeep.start();
    ended.add(delivery(1).member);
    await begin(delivery(1), delivery(2));
    expect(runs).toEqual(['msg_2']);
  });

  it('go one after the other for a subject, when the end of the one before is noted', async () => {
    const { upkeep, runs, begin, end } = create();
    upkeep.start();
    await begin(delivery(1, 'whe_1', 'sub'), delivery(2, 'whe_1', 'sub'), delivery(3, 'whe_1'));
    expect(runs).toEqual(['msg_1', 'msg_3']);
    await end('msg_1');
    expect(runs).toEqual(['msg_1', 'msg_3', 'msg_2']);
  });

  it('are taken up from Redis in order, with the attempts that were made before', async () => {
    const { upkeep, intake, runs, there, kept, wake } = create();
    const [first, second] = [delivery(1, 'whe_1', 'sub'), delivery(2, 'whe_1', 'sub')];
    const other = delivery(3, 'whe_2');
    there.push(first.member, second.member, other.member);
    kept.set(first.member, retry(first, 3));
    await intake.takeUp();
    upkeep.start();
    expect(runs).toEqual(['msg_3']);
    wake(retry(first, 2));
    expect(runs).toEqual(['msg_3']);
    wake(retry(first, 3));
    expect(runs).toEqual(['msg_3', 'msg_1']);
  });

  it('to an endpoint that is gone end when they are taken up', async () => {
    const { upkeep, intake, runs, there, ended } = create();
    there.push(delivery(1, 'whe_gone').member);
    await intake.takeUp();
    upkeep.start();
    expect([runs, ended.size]).toEqual([[], 1]);
  });

  it('of a former release leave nothing behind: its keys are removed once, before one ends', async () => {
    const { intake, there, ended, endpoints, removals } = create();
    endpoints.delete('whe_1');
    there.push(delivery(1).member);
    await intake.takeUp();
    await intake.takeUp();
    expect([removals, ended.size > 0]).toEqual([[[]], true]);
  });

  it('that BullMQ does not wake are woken by a look at them', async () => {
    const { upkeep, runs, begin, end } = create();
    upkeep.start();
    await begin(delivery(1));
    await end('msg_1', { kind: 'givenBack' });
    expect(runs).toEqual(['msg_1']);
    await upkeep.check();
    expect(runs).toEqual(['msg_1', 'msg_1']);
  });

  it('to one endpoint, and of one app, leave places for others', async () => {
    const { upkeep, runs, begin } = create();
    upkeep.start();
    await begin(...Array.from({ length: 500 }, (_, n) => delivery(n)));
    expect(runs.length).toBeLessThanOrEqual(ENDPOINT_ATTEMPTS_AT_ONCE);
    expect(runs.length).toBeLessThan(DELIVERIES_AT_ONCE / 2);
    await begin(delivery(1_000, 'whe_2'));
    expect(runs.at(-1)).toBe('msg_1000');
  });

  it('wait while their endpoint is disabled, and go slowly at first when it is enabled', async () => {
    const { upkeep, runs, begin, end, change } = create();
    upkeep.start();
    await begin(delivery(1));
    await end('msg_1', { kind: 'held' });
    await begin(...Array.from({ length: 9 }, (_, n) => delivery(n + 2)));
    expect(runs).toEqual(['msg_1']);
    change('webhook_endpoint-whe_2');
    expect(runs).toEqual(['msg_1']);
    change('webhook_endpoint-whe_1');
    expect(runs).toHaveLength(2);
  });

  it('do not wait for ever for an endpoint that was enabled while it was looked at', async () => {
    const { upkeep, runs, begin, end } = create();
    upkeep.start();
    await begin(delivery(1));
    await end('msg_1', { kind: 'held' });
    await upkeep.check();
    expect(runs).toEqual(['msg_1', 'msg_1']);
  });

  it('begin only while the lease lasts, and again when it is renewed', async () => {
    jest.useFakeTimers();
    const { upkeep, runs, begin, lease } = create();
    Object.assign(lease, { lastsUntilMs: -1 });
    upkeep.start();
    await begin(delivery(1));
    expect(runs).toEqual([]);
    Object.assign(lease, { lastsUntilMs: Infinity });
    jest.advanceTimersByTime(FENCED_RETRY_MS);
    expect(runs).toEqual(['msg_1']);
    jest.useRealTimers();
  });

  it('begin no more when the partition is given up', async () => {
    const { upkeep, runs, begin } = create();
    upkeep.start();
    upkeep.end();
    await begin(delivery(1));
    expect(runs).toEqual([]);
  });
});
