import { Inject, Injectable } from '@nestjs/common';
import { deepEqual } from 'fast-equals';
import { type Lease, runFenced } from '#projection-engine';
import { loadScript, type Redis, redisReply } from '#redis';
import type { ParkedEntry, WorkerKeys } from '#worker-state';
import { KEYS, LEASE, REDIS } from '../tokens.js';

const changeParked = loadScript(new URL('./lua/change-parked-2.lua', import.meta.url));

/**
 * The parked streams of the partition, as this process knows them. Calls throw Fault of Redis, and Fenced where this
 * process may not act.
 */
@Injectable()
export class ParkedSet {
  #parked = new Map<string, ParkedEntry>();
  /** A stream that is tried again: parked in Redis until that has succeeded, and not held back here. */
  #retried: string | undefined;

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
    @Inject(LEASE) private readonly lease: Lease,
  ) {}

  get all(): ReadonlyMap<string, ParkedEntry> {
    return this.#parked;
  }

  /** The parked streams, as Redis has them now. */
  async read(): Promise<ParkedEntry[]> {
    const stored = await redisReply(this.redis.hvals(this.keys.parked));
    // Only `#change` writes there, in this form.
    return stored.map((text) => JSON.parse(text) as ParkedEntry);
  }

  /** Takes the entries of Redis for known, but for a stream that is tried again. */
  async load(): Promise<ReadonlyMap<string, ParkedEntry>> {
    const parked = await this.read();
    const held = parked.filter(({ streamName }) => streamName !== this.#retried);
    const again = [...this.#parked.values()].filter((entry) => entry.streamName === this.#retried);
    this.#parked = new Map([...held, ...again].map((entry) => [entry.streamName, entry]));
    return this.#parked;
  }

  /** Whether an event waits. One that lies before the event that a stream is parked for does not. */
  holds({ streamName, revision }: { readonly streamName: string; readonly revision: number }) {
    const entry = this.#parked.get(streamName);
    return entry !== undefined && revision >= entry.revision;
  }

  /** Parks a stream, unless it is. @returns whether it was not. */
  async park(entry: ParkedEntry): Promise<boolean> {
    if (this.#parked.has(entry.streamName)) return false;
    // A stream that is tried again stays parked there as it was until the attempt is over, should this process die.
    await this.#change('park', entry);
    this.#parked.set(entry.streamName, entry);
    return true;
  }

  /**
   * Works on the events that a stream held back.
   *
   * @returns whether it goes on; false when `work` parked it again.
   * @throws the error of `work`: the stream then stays parked as it was.
   */
  async retry(streamName: string, work: () => Promise<void>): Promise<boolean> {
    const before = this.#parked.get(streamName);
    this.#retried = streamName;
    this.#parked.delete(streamName);
    try {
      await work();
      const again = this.#parked.get(streamName);
      if (again === undefined) await this.remove(streamName);
      else if (!deepEqual(again, before)) await this.#change('replace', again);
      return again === undefined;
    } catch (error) {
      // Redis has it parked, and may not be there to say so.
      if (before !== undefined) this.#parked.set(streamName, before);
      throw error;
    } finally {
      this.#retried = undefined;
      await this.load();
    }
  }

  async remove(streamName: string): Promise<void> {
    await this.#run('remove', streamName, '');
    this.#parked.delete(streamName);
  }

  async #change(act: 'park' | 'replace', entry: ParkedEntry): Promise<void> {
    await this.#run(act, entry.streamName, JSON.stringify(entry));
  }

  async #run(act: string, streamName: string, stored: string): Promise<void> {
    const keys = [this.keys.parked];
    const args = [act, streamName, stored];
    await runFenced(this.redis, this.lease.fence, changeParked, { keys, args });
  }
}
