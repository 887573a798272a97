import type { Redis } from 'ioredis';
import type { WorkerKeys } from '../redis/keys.js';
import { loadScript } from '../redis/script.js';
import type { DeliveryJobData } from './delivery-job.js';

export type Turn = 'settled' | 'go' | 'wait';

/** A job with what says where it stands. */
interface Place {
  readonly jobId: string;
  readonly data: Pick<DeliveryJobData, 'endpointId' | 'subject' | 'sequence' | 'unsettled'>;
}

const joinLine = loadScript('join-line-3.lua');
const takeTurn = loadScript('take-turn-2.lua');
const leaveLine = loadScript('leave-line-2.lua');

/**
 * The lines in which messages wait: one for each endpoint and subject, so that they arrive in order
 * though retries are jobs of their own (decisions 8). Every act is atomic. Throws Fault `unavailable`.
 */
export class Lines {
  readonly #redis: Redis;
  readonly #keys: WorkerKeys;

  constructor(redis: Redis, keys: WorkerKeys) {
    this.#redis = redis;
    this.#keys = keys;
  }

  /** Whether the job is to be added now; false when it is there already, or was and is settled. */
  async join(place: Place, jobKey: string): Promise<boolean> {
    const { jobId, data } = place;
    const args = [jobId, data.sequence, data.unsettled];
    return (await joinLine(this.#redis, [...this.#keysOf(place), jobKey], args)) === 1;
  }

  async turnOf(place: Place): Promise<Turn> {
    const args = [place.jobId, place.data.unsettled];
    // The script's header says what it answers.
    return (await takeTurn(this.#redis, this.#keysOf(place), args)) as Turn;
  }

  /** Delivered or dead. @returns the job whose turn it is now. */
  async settle(place: Place): Promise<string | undefined> {
    return this.#leave(place, place.data.unsettled);
  }

  /** Steps aside, still unsettled: later messages pass it. @returns the job whose turn it is now. */
  async stepAside(place: Place): Promise<string | undefined> {
    return this.#leave(place, '');
  }

  async #leave(place: Place, unsettled: string): Promise<string | undefined> {
    const next = await leaveLine(this.#redis, this.#keysOf(place), [place.jobId, unsettled]);
    return typeof next === 'string' ? next : undefined;
  }

  #keysOf({ data }: Place): string[] {
    return [this.#keys.line(data.endpointId, data.subject), this.#keys.unsettled];
  }
}
