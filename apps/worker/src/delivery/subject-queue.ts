import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { loadScript } from '#redis';
import type { WorkerKeys } from '../redis/keys.js';
import { KEYS, REDIS } from '../tokens.js';
import type { DeliveryJobData } from './delivery-job.js';

/** `ended`: in flight no more; `behind`: an earlier message of the subject is still there. */
export type Place = 'ended' | 'first' | 'behind';

/** A job with what says where it stands. */
export interface QueuedMessage {
  readonly jobId: string;
  readonly data: Pick<DeliveryJobData, 'endpointId' | 'subject' | 'sequence' | 'inFlight'>;
}

const enqueueMessage = loadScript(new URL('./lua/enqueue-message-3.lua', import.meta.url));
const findPlace = loadScript(new URL('./lua/find-place-2.lua', import.meta.url));
const removeMessage = loadScript(new URL('./lua/remove-message-2.lua', import.meta.url));

/**
 * The queues in which messages wait: one for each endpoint and subject, so that they arrive in order
 * though retries are jobs of their own (rules/webhooks 5). Every act is atomic. Throws Fault `unavailable`.
 */
@Injectable()
export class SubjectQueue {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
  ) {}

  /** Whether the job is to be added now; false when it is there already, or was and has ended. */
  async enqueue(message: QueuedMessage, jobKey: string): Promise<boolean> {
    const { jobId, data } = message;
    const args = [jobId, data.sequence, data.inFlight];
    return (await enqueueMessage(this.redis, [...this.#keys(message), jobKey], args)) === 1;
  }

  async findPlace(message: QueuedMessage): Promise<Place> {
    const args = [message.jobId, message.data.inFlight];
    // The script's header says what it answers.
    return (await findPlace(this.redis, this.#keys(message), args)) as Place;
  }

  /** Delivered or exhausted. @returns the job that is first now. */
  async remove(message: QueuedMessage): Promise<string | undefined> {
    return this.#remove(message, message.data.inFlight);
  }

  /** Steps aside, still in flight: later messages pass it. @returns the job that is first now. */
  async stepAside(message: QueuedMessage): Promise<string | undefined> {
    return this.#remove(message, '');
  }

  async #remove(message: QueuedMessage, inFlight: string): Promise<string | undefined> {
    const next = await removeMessage(this.redis, this.#keys(message), [message.jobId, inFlight]);
    return typeof next === 'string' ? next : undefined;
  }

  #keys({ data }: QueuedMessage): string[] {
    return [this.keys.subjectQueue(data.endpointId, data.subject), this.keys.inFlight];
  }
}
