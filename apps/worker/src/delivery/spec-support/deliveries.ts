import type { SharedTokens } from '#worker-state';
import { Partitions } from '#event-store';
import { wallClock } from '#platform';
import type { RunningEndpoint } from '#tenancy';
import type { DeliveryAct, DeliveryOutcome } from '../send/delivery-act.js';
import { DeliveryIntake } from '../queue/delivery-intake.js';
import { DeliveryRunner } from '../queue/delivery-runner.js';
import type { DeliverySettlement } from '../queue/delivery-settlement.js';
import { DeliveryUpkeep } from '../queue/delivery-upkeep.js';
import type { Delivery } from '../send/outgoing-messages.js';
import { EndpointLimiter } from '../limit/endpoint-limiter.js';
import { EndpointQueues } from '../queue/endpoint-queue.js';
import type { FailedAttempts, RetryQueue } from '../../jobs/retry-queue.js';
import type { AfterAttempt, MakeRetry, RetryWorker } from '../../jobs/retry-worker.js';
import type { InFlightSet, Member } from '../../redis/in-flight-set.js';
import { createLease, nextTurn } from '../../spec-support/fakes.js';

/** Attempts are made while their endpoint had been enabled before the last time. */
const TRIED_UNDER = '2027-01-01T00:00:00.000Z';
const ENABLED_AT = '2027-02-01T00:00:00.000Z';

/** A runner whose attempts are under way until they are ended, with its surroundings. */
export function createDeliveries() {
  const { act, runs, end } = createAct();
  const redis = createRedis();
  const firstFailure = { atMs: Date.now() };
  const { settlement, noted } = createSettlement(redis.ended, firstFailure);
  const { apps, endpoints, change } = createApps();
  const tokens: Partial<SharedTokens> = { take: async () => 0 };
  const limiter = new EndpointLimiter(tokens as SharedTokens, { count: 1 });
  let make: MakeRetry = async () => ({ kind: 'over' });
  const worker: Partial<RetryWorker> = {
    start: (given) => void (make = given),
    check: async () => undefined,
    promote: async (members) => void redis.promoted.push(...members),
    end: () => undefined,
    stop: async () => undefined,
  };
  const lease = createLease();
  const queues = new EndpointQueues();
  const runner = new DeliveryRunner(queues, act, settlement, limiter, new Partitions(1), lease);
  const { inFlight, retries } = redis;
  const intake = new DeliveryIntake(
    ...([queues, runner, inFlight, retries, apps, wallClock] as const),
  );
  const upkeep = new DeliveryUpkeep(
    ...([queues, runner, limiter, worker as RetryWorker, apps, wallClock] as const),
  );
  const begin = (...all: Delivery[]) =>
    intake.begin(all.map((each) => [each, `app_${each.target}`] as const));
  const { ended, acts, there, jobs, promoted, whileRead } = redis;
  const around = {
    ended,
    acts,
    there,
    jobs,
    promoted,
    whileRead,
    endpoints,
    lease,
    noted,
    limiter,
  };
  /** BullMQ has the job of a delivery processed, after so many attempts that failed. */
  const makeRetry = (of: Delivery, attempts: number) =>
    make({ ...of, endpointId: of.target, firstFailedAtMs: Date.now(), reason: '503' }, attempts);
  const happen = { firstFailure, makeRetry, change };
  return { upkeep, intake, queues, runs, end, begin, ...around, ...happen };
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
  /** A settlement's promise when it has put a delivery off, or ends it, as for a Redis that is away. */
  const noted = { promise: Promise.resolve(), ends: Promise.resolve() };
  const settlement: Partial<DeliverySettlement> = {
    settle: async (queue, item, outcome): Promise<AfterAttempt> => {
      if (outcome.kind === 'ended') {
        await noted.ends;
        ended.add(item.delivery.member);
        queue.remove(item);
        return { kind: 'over' };
      }
      if (outcome.kind === 'held') {
        queue.hold();
        queue.release(item);
        return { kind: 'putOff', forMs: 1 };
      }
      queue.postpone(item, {
        ...afterAttempts(1, TRIED_UNDER),
        firstFailedAtMs: firstFailure.atMs,
      });
      await noted.promise;
      return { kind: 'failed', reason: '503', delayMs: 1, enabledAt: undefined };
    },
    stop: () => undefined,
  };
  return { settlement: settlement as DeliverySettlement, noted };
}

/** The deliveries that are in flight there, those that have ended, and the jobs of those that failed. */
function createRedis() {
  const ended = new Set<string>();
  const there: string[] = [];
  const jobs = new Map<string, FailedAttempts>();
  const promoted: string[] = [];
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
  const retries: Partial<RetryQueue> = {
    readAll: async () => new Map(jobs),
    has: async (member) => jobs.has(member),
    promote: async (members) => void promoted.push(...members),
  };
  return {
    ...{ ended, acts, there, jobs, promoted, whileRead },
    ...{ inFlight: inFlight as InFlightSet, retries: retries as RetryQueue },
  };
}

function createApps() {
  const endpoints = new Map<string, RunningEndpoint['state']>([
    ['whe_1', 'enabled'],
    ['whe_2', 'enabled'],
  ]);
  let changed: (streamNames: ReadonlySet<string>) => void = () => undefined;
  const apps = {
    // Fields that are not looked at here are left out.
    findEndpoint: async (endpointId: string) => {
      const state = endpoints.get(endpointId);
      const of = { endpointId, appId: `app_${endpointId}`, state, enabledAt: ENABLED_AT };
      return state && (of as RunningEndpoint);
    },
    onChange: (listener: typeof changed) => {
      changed = listener;
      return () => undefined;
    },
  };
  return { apps, endpoints, change: (streamName: string) => changed(new Set([streamName])) };
}

/** The traces of failed attempts of a delivery. */
export const afterAttempts = (attempts: number, enabledAt?: string) => ({
  ...{ attempts, firstFailedAtMs: Date.now(), enabledAt },
});
