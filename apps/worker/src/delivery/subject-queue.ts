import { Inject, Injectable } from '@nestjs/common';
import { EXHAUSTED_NAMED, type ExhaustedDelivery } from '#checkpoint-backup';
import { PLAIN } from '#domain/personal-data';
import { loadScript, type Redis, redisReply } from '#redis';
import { PartitionScripts } from '../feed/partition-scripts.js';
import { ENDED_KEPT } from '../limits.js';
import type { WorkerKeys } from '../redis/keys.js';
import { KEYS, REDIS } from '../tokens.js';
import { deliveryJobId, type QueuedMessage } from './queued-message.js';

/** `ended`: there is no such message any more; `behind`: an earlier one of the subject is still there. */
export type Place = 'ended' | 'first' | 'behind';

const enqueueMessage = loadScript(new URL('./lua/enqueue-message-8.lua', import.meta.url));
const findPlace = loadScript(new URL('./lua/find-place-4.lua', import.meta.url));
const removeMessage = loadScript(new URL('./lua/remove-message-9.lua', import.meta.url));
const stepAside = loadScript(new URL('./lua/step-aside-5.lua', import.meta.url));

/**
 * The queues in which messages wait: one for each endpoint and subject, so that they arrive in order
 * though retries are jobs of their own (rules/webhooks 5). Every act is one script over keys of ours
 * (decision 0083), and throws Fenced where this process may not act, or Fault of Redis.
 *
 * A message that has ended is not enqueued again when its batch is given again: its entry in the work in
 * flight moves to the marks of what has ended. A batch that comes again is the newest of its partition, so
 * the marks of the newest events are the ones to keep. They need no clock, and an outage of any length
 * does not use them up. A mark that was dropped costs one more message with the same `webhook-id`.
 */
@Injectable()
export class SubjectQueue {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: WorkerKeys,
    private readonly scripts: PartitionScripts,
  ) {}

  /** Whether its job has to be there; false when the message has ended. */
  async enqueue(message: QueuedMessage): Promise<boolean> {
    const keys = this.#allKeys(message);
    const stored = JSON.stringify(message);
    const args = [deliveryJobId(message), message.sequence, message.inFlight, stored];
    return (await this.scripts.runForFeed(enqueueMessage, keys, args)) === 'enqueued';
  }

  /** Undefined when it has ended. */
  async load(jobId: string): Promise<QueuedMessage | undefined> {
    const stored = await redisReply(this.redis.get(this.keys.message(jobId)));
    // Only `enqueue` writes messages, in this form.
    return stored === null ? undefined : readMessage(JSON.parse(stored) as StoredMessage);
  }

  async findPlace(message: QueuedMessage): Promise<Place> {
    const keys = [this.#queueKey(message), this.#messageKey(message)];
    // The script's header says what it answers.
    return (await this.scripts.runForJob(findPlace, keys, [deliveryJobId(message)])) as Place;
  }

  /**
   * Nothing of it stays, but where it was given up: that is known from then on, also to a Redis that was
   * emptied.
   *
   * @returns the job that is first now.
   */
  async remove(message: QueuedMessage, givenUp?: ExhaustedDelivery): Promise<string | undefined> {
    const args = argsToRemove(message, givenUp);
    return toJobId(await this.scripts.runForJob(removeMessage, this.#removeKeys(message), args));
  }

  /** It had ended before Redis lost that: its job finds nothing to do. */
  async removeLost(message: QueuedMessage): Promise<void> {
    await this.scripts.runForFeed(removeMessage, this.#removeKeys(message), argsToRemove(message));
  }

  /** Steps aside, still in flight: later messages pass it. @returns the job that is first now. */
  async stepAside(message: QueuedMessage): Promise<string | undefined> {
    const keys = [this.#queueKey(message), this.#messageKey(message), this.keys.expectedJobs];
    return toJobId(await this.scripts.runForJob(stepAside, keys, [deliveryJobId(message)]));
  }

  /** A page of the jobs that must be there: the first of each queue, and what stepped aside. */
  async listExpectedJobs(afterJobId: string, limit: number): Promise<string[]> {
    const after = afterJobId === '' ? '-' : `(${afterJobId}`;
    const { expectedJobs } = this.keys;
    return redisReply(this.redis.zrange(expectedJobs, after, '+', 'BYLEX', 'LIMIT', 0, limit));
  }

  /** In the order in which the scripts that begin and end a message take them. */
  #allKeys(message: QueuedMessage): string[] {
    const { inFlight, expectedJobs, ended, changes } = this.keys;
    const own = [this.#queueKey(message), inFlight, this.#messageKey(message)];
    return [...own, expectedJobs, ended, changes];
  }

  #removeKeys(message: QueuedMessage): string[] {
    return [...this.#allKeys(message), this.keys.exhausted];
  }

  #queueKey({ endpointId, subject }: QueuedMessage): string {
    return this.keys.subjectQueue(endpointId, subject);
  }

  #messageKey(message: QueuedMessage): string {
    return this.keys.message(deliveryJobId(message));
  }
}

/** As releases before decision 0097 stored it: the body was not sealed. */
type StoredMessage = QueuedMessage & { readonly body?: string };

function readMessage({ body, ...message }: StoredMessage): QueuedMessage {
  return body === undefined ? message : { ...message, sealedBody: `${PLAIN}${body}` };
}

function argsToRemove(message: QueuedMessage, givenUp?: ExhaustedDelivery): (string | number)[] {
  const known = givenUp === undefined ? '' : JSON.stringify(givenUp);
  return [deliveryJobId(message), message.inFlight, ENDED_KEPT, known, EXHAUSTED_NAMED];
}

function toJobId(reply: unknown): string | undefined {
  return typeof reply === 'string' ? reply : undefined;
}
