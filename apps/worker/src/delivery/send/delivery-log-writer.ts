import { Inject, Injectable } from '@nestjs/common';
import { appendAttempts, type AttemptError, type AttemptToLog, type Outcome } from '#worker-state';
import type { Instant } from '#domain/event';
import type { NamespaceIdentity, Partitions } from '#event-store';
import { type Log, sleepUntilTick, warnSeldom, withTimeLimit } from '#platform';
import type { Lease } from '#projection-engine';
import type { Redis } from '#redis';
import type { PersonalData } from '#tenancy';
import {
  ATTEMPTS_GATHERED,
  LOG_ATTEMPTS_EVERY_MS,
  LOG_STOP_LIMIT_MS,
  WRITTEN_AT_ONCE,
} from '../../limits.js';
import { unloggedAttempts } from '../../metrics.js';
import { LEASE, LOG, NAMESPACE, PARTITIONS, PERSONAL_DATA, REDIS } from '../../tokens.js';
import type { OutgoingMessage } from './message-planner.js';
import type { Delivery } from './outgoing-messages.js';
import type { Answer } from './send.js';

/** An attempt as observed, for the log of its endpoint (rules/webhooks 10). */
export interface AttemptMade {
  readonly message: Pick<OutgoingMessage, 'type' | 'sequence' | 'player'>;
  readonly startedAt: Instant;
  /** The address of its endpoint then. */
  readonly url: string;
  readonly durationMs: number;
  /** As much of it as came. */
  readonly answer: Answer | undefined;
  /** Null where it was delivered. */
  readonly error: AttemptError | null;
}

/** An attempt that waits for its place in the log. */
interface Gathered extends AttemptToLog {
  readonly appId: string;
  /** Of the event that the message follows from. */
  readonly position: string;
  /** Not sealed yet. */
  readonly answer: string;
}

/**
 * Writes attempts into the log of their endpoint (decision 0031), beside the deliveries: they are gathered in memory,
 * and those of one moment are one round trip. A log that cannot be written delays no delivery and fails none. Attempts
 * kept out of it by the bound of the memory or a failure are counted, and lost.
 */
@Injectable()
export class DeliveryLogWriter {
  #gathered: Gathered[] = [];
  readonly #most: number;

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'sealAnswer'>,
    @Inject(NAMESPACE) private readonly namespace: Pick<NamespaceIdentity, 'layoutId'>,
    @Inject(LEASE) private readonly lease: Pick<Lease, 'partition'>,
    @Inject(PARTITIONS) private readonly partitions: Pick<Partitions, 'count'>,
    @Inject(LOG) private readonly log: Log,
  ) {
    this.#most = Math.ceil(ATTEMPTS_GATHERED / partitions.count);
  }

  /** Waits for nothing and never throws. @param item as it was when the attempt was made. */
  note(
    { endpointId, appId }: { readonly endpointId: string; readonly appId: string },
    { delivery, attempts }: { readonly delivery: Delivery; readonly attempts: number },
    outcome: Outcome,
    { message, startedAt, url, durationMs, answer, error }: AttemptMade,
  ): void {
    if (this.#gathered.length >= this.#most) {
      unloggedAttempts.inc({ reason: 'too_many' });
      return;
    }
    const { messageId, streamName, revision, position } = delivery;
    const { type, sequence, player } = message;
    // Field by field, without spreads: of an object of so many that grows, V8 makes a slow one of ten times the size,
    // and hundreds of them wait for the log.
    this.#gathered.push({
      endpointId,
      appId,
      messageId,
      streamName,
      revision,
      position,
      type,
      sequence,
      // A test is about no player.
      player: player || null,
      attempt: attempts,
      startedAt,
      url,
      durationMs,
      outcome,
      error,
      status: answer?.status ?? null,
      answer: answer?.body ?? '',
    });
  }

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (await sleepUntilTick(LOG_ATTEMPTS_EVERY_MS, signal)) await this.writeAll();
  }

  /** The rest at a stop, within a limit. Never throws. */
  async writeRest(): Promise<void> {
    const written = this.writeAll();
    await withTimeLimit(written, LOG_STOP_LIMIT_MS, 'the delivery log').catch((error: unknown) => {
      unloggedAttempts.inc({ reason: 'not_written' }, this.#gathered.length);
      this.#gathered = [];
      warnSeldom(this.log, error, 'the last attempts are not in the delivery log');
    });
  }

  /** Never throws. */
  async writeAll(): Promise<void> {
    while (this.#gathered.length > 0) {
      await this.#write(this.#gathered.splice(0, WRITTEN_AT_ONCE));
    }
  }

  async #write(page: readonly Gathered[]): Promise<void> {
    const { layoutId } = this.namespace;
    const place = { layoutId, partition: this.lease.partition, partitions: this.partitions.count };
    try {
      const sealed = await Promise.all(page.map((each) => this.#seal(each)));
      await appendAttempts(this.redis, place, sealed);
    } catch (error) {
      unloggedAttempts.inc({ reason: 'not_written' }, page.length);
      warnSeldom(this.log, error, 'attempts could not be written into the delivery log');
    }
  }

  /** An answer that cannot be sealed, as of a player who was erased meanwhile, is not kept; its attempt is. */
  async #seal({ appId, position, ...attempt }: Gathered): Promise<AttemptToLog> {
    const { player, messageId, answer } = attempt;
    // Most receivers answer nothing, and nothing has to be sealed.
    if (answer === '') return { ...attempt, answer: null };
    if (player === null) return attempt;
    const sealing = this.personalData.sealAnswer(
      { appId, player },
      { messageId, position },
      answer,
    );
    const sealed = await sealing.catch((error: unknown) => {
      warnSeldom(this.log, error, 'an answer is not kept in the delivery log');
      return undefined;
    });
    return { ...attempt, answer: sealed ?? null };
  }
}
