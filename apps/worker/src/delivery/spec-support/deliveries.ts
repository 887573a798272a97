import type { SharedBreakers, SharedTokens } from '#endpoint-state';
import { Partitions } from '#event-store';
import { wallClock } from '#platform';
import type { RunningEndpoint } from '#tenancy';
import type { DeliveryAct, DeliveryOutcome } from '../delivery-act.js';
import { DeliveryIntake } from '../delivery-intake.js';
import { DeliveryRunner } from '../delivery-runner.js';
import type { DeliverySettlement } from '../delivery-settlement.js';
import { DeliveryUpkeep } from '../delivery-upkeep.js';
import { EndpointBreakers } from '../endpoint-breakers.js';
import { EndpointGate } from '../endpoint-gate.js';
import { EndpointHealth } from '../endpoint-health.js';
import { EndpointPacing } from '../endpoint-pacing.js';
import type { EndpointPlaces } from '../endpoint-places.js';
import type { Delivery } from '../endpoint-queue.js';
import { EndpointQueues } from '../endpoint-queues.js';
import type { RetryAlarm } from '../retry-alarm.js';
import type { Retry } from '../retry-queue.js';
import type { KeptRetry, RetrySet } from '../retry-set.js';
import type { InFlightSet, Member } from '../../feed/in-flight-set.js';
import { at, createLease, nextTurn, silent } from '../../spec-support/fakes.js';

/** A delivery of the message of an event by its number. */
export function delivery(n: number, target = 'whe_1', subject = `sub_${n}`): Delivery {
  const member = `${at(n)} ${target} ${subject} ${n} 0 msg_${n}`;
  const of = { position: at(n), target, streamName: subject, revision: n };
  return { member, ...of, messageId: `msg_${n}` };
}

/** A runner whose attempts are under way until they are ended, and what stands around it. */
export function createDeliveries() {
  const { act, runs, end } = createAct();
  const redis = createRedis();
  const firstFailure = { atMs: Date.now() };
  const { settlement, noted } = createSettlement(redis.ended, firstFailure);
  const { apps, endpoints, change } = createApps();
  const { gate, probes } = createEndpointGate();
  let wake: (retry: Retry) => void = () => undefined;
  const alarm: Partial<RetryAlarm> = {
    start: (act) => void (wake = act),
    check: async () => undefined,
    stop: async () => undefined,
  };
  const lease = createLease();
  const queues = new EndpointQueues();
  const runner = new DeliveryRunner(queues, act, settlement, gate, new Partitions(1), lease);
  const { inFlight, retrySet } = redis;
  const messages = { begin: () => undefined };
  const intake = new DeliveryIntake(
    ...([queues, runner, inFlight, retrySet, messages, apps, wallClock] as const),
  );
  const upkeep = new DeliveryUpkeep(
    ...([queues, runner, gate, alarm as RetryAlarm, apps, lease, wallClock] as const),
  );
  const begin = (...all: Delivery[]) =>
    intake.begin(all.map((each) => [each, `app_${each.target}`] as const));
  const { ended, acts, there, kept, whileRead } = redis;
  const around = {
    ended,
    acts,
    there,
    kept,
    whileRead,
    endpoints,
    lease,
    noted,
    gate,
    probes,
  };
  const happen = { firstFailure, wake: (retry: Retry) => wake(retry), change };
  return { upkeep, intake, runs, end, begin, ...around, ...happen };
}

function createAct() {
  const runs: string[] = [];
  const ends = new Map<string, (outcome: DeliveryOutcome) => void>();
  const act: Partial<DeliveryAct> = {
    perform: ({ delivery: { messageId } }) => {
      runs.push(messageId);
      return new Promise((resolve) => ends.set(messageId, resolve));
    },
  };
  const end = async (messageId: string, outcome: DeliveryOutcome = { kind: 'ended' }) => {
    ends.get(messageId)?.(outcome);
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  };
  return { act: act as DeliveryAct, runs, end };
}

function createSettlement(ended: Set<string>, firstFailure: { readonly atMs: number }) {
  /** What a settlement waits for when it has put a delivery off, or ends it, as for a Redis that is away. */
  const noted = { promise: Promise.resolve(), ends: Promise.resolve() };
  const settlement: Partial<DeliverySettlement> = {
    settle: async (queue, item, outcome) => {
      if (outcome.kind === 'ended') {
        await noted.ends;
        ended.add(item.delivery.member);
        queue.remove(item);
      } else if (outcome.kind === 'held') {
        queue.hold();
        queue.release(item);
      } else {
        const times = { firstFailedAtMs: firstFailure.atMs, dueAtMs: 0 };
        queue.postpone(item, { attempts: 1, ...times, isAside: false });
        await noted.promise;
      }
    },
    stop: () => undefined,
  };
  return { settlement: settlement as DeliverySettlement, noted };
}

/** The deliveries that are in flight there, those that have ended, and what is kept of attempts that failed. */
function createRedis() {
  const ended = new Set<string>();
  const there: string[] = [];
  const kept = new Map<string, KeptRetry>();
  /** How many have ended in each act that found them lost. */
  const acts: number[] = [];
  /** Done when a page was read, and before it is looked at. */
  const whileRead: (() => Promise<void>)[] = [];
  const inFlight: Partial<InFlightSet> = {
    begin: async (members: readonly Member[]) =>
      members.map(({ member }) => member).filter((member) => !ended.has(member)),
    endLost: async (members) => {
      acts.push(members.length);
      for (const member of members) ended.add(member);
    },
    has: async (member) => there.includes(member) && !ended.has(member),
    async *pages() {
      const page = there.map((member) => ({ member, dueAtMs: null }));
      for (const act of whileRead.splice(0)) await act();
      yield page;
    },
  };
  const retrySet: Partial<RetrySet> = { readAll: async () => new Map(kept) };
  return {
    ...{ ended, acts, there, kept, whileRead },
    ...{ inFlight: inFlight as InFlightSet, retrySet: retrySet as RetrySet },
  };
}

function createApps() {
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
  return { apps, endpoints, change: (streamName: string) => changed(new Set([streamName])) };
}

/** A breaker opens with the first failure that is said, for no time: there is one attempt then, for who asks first. */
function createEndpointGate() {
  const probes: string[] = [];
  const shared: Partial<SharedBreakers> = {
    noteSuccess: async () => 0,
    close: async () => undefined,
    noteFailure: async (_, { nowMs }) => ({ sinceMs: nowMs, failures: 5, openUntilMs: nowMs }),
    takeProbe: async (endpointId) => {
      probes.push(endpointId);
      return { kind: 'probe', untilMs: Date.now() + 20_000 };
    },
  };
  const tokens: Partial<SharedTokens> = { take: async () => 0 };
  const places: Partial<EndpointPlaces> = { onRoom: () => undefined, hasRoom: () => true };
  const gate = new EndpointGate(
    new EndpointHealth(),
    new EndpointBreakers(shared as SharedBreakers, wallClock, silent),
    new EndpointPacing(tokens as SharedTokens),
    places as EndpointPlaces,
  );
  return { gate, probes };
}

/** What BullMQ has of a delivery whose next attempt is due in a minute. */
export const retry = ({ target, member, messageId }: Delivery, attempts: number): Retry => ({
  ...{ endpointId: target, messageId, member, attempts, firstFailedAtMs: Date.now() },
  ...{ dueAtMs: Date.now() + 60_000, isAside: false, reason: 'it answered 503' },
});
