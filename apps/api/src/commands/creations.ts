import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { Instant } from '#domain/event';
import { idempotencyKeyAggregate } from '#domain/idempotency-key';
import { ApiError, type CommandContext, Ledger } from '#nest';
import { assertDefect, newId } from '#platform';

/** The object that a creating request is to create. */
export interface Creation {
  readonly id: string;
  readonly at: Instant;
  /** For the creating command itself: it is idempotent by the id, so the key stays out of it. */
  readonly context: CommandContext;
  /** Whether the same request was seen before: the answer then shows the object as it was created. */
  readonly isRepeated: boolean;
}

/** Gives every created object its id; with an `Idempotency-Key`, the same one each time (rules/api 13). */
@Injectable()
export class Creations {
  constructor(private readonly ledger: Ledger) {}

  /**
   * The earlier creation under the key of this request; undefined for a new one, of which nothing is kept yet: a
   * request that is refused leaves its key free.
   *
   * @throws ApiError 10 IDEMPOTENCY_KEY_REUSED when the key belongs to another request.
   */
  async repeated(
    prefix: string,
    keyed: CommandContext,
    bucket: string,
  ): Promise<Creation | undefined> {
    if (keyed.commandId === undefined) return undefined;
    const id = reservationId(keyed.appId, keyed.commandId);
    const { state } = await this.ledger.load(idempotencyKeyAggregate, id);
    return state.status === 'free' ? undefined : this.begin(prefix, keyed, bucket);
  }

  /**
   * Lets a key stand for another one's reservation, so that either returns the same object.
   *
   * @throws ApiError 10 IDEMPOTENCY_KEY_REUSED when the key belongs to another request.
   */
  async bind(keyed: CommandContext, { id, at }: Creation): Promise<void> {
    if (keyed.commandId === undefined) return;
    const command = { kind: 'ReserveIdempotencyKey', id, at } as const;
    const reservation = reservationId(keyed.appId, keyed.commandId);
    await this.ledger.execute(idempotencyKeyAggregate, reservation, command, keyed);
  }

  /**
   * @param bucket that of the app, or of the player whom the object is for.
   * @param scope in which the key is one of its own: the app, unless there is none yet.
   */
  async begin(
    prefix: string,
    keyed: CommandContext,
    bucket: string,
    scope = keyed.appId,
  ): Promise<Creation> {
    const { commandId, commandHash: _hash, ifMatch: _ifMatch, ...context } = keyed;
    const id = newId(prefix, keyed.now, bucket);
    if (commandId === undefined) return { id, at: keyed.now, context, isRepeated: false };
    const { state, replayed } = await this.ledger.execute(
      idempotencyKeyAggregate,
      reservationId(scope, commandId),
      { kind: 'ReserveIdempotencyKey', id, at: keyed.now },
      keyed,
    );
    assertDefect(state.status === 'reserved', 'a reservation that reserves nothing');
    const { id: reservedId, at } = state;
    return { id: reservedId, at, context: { ...context, now: at }, isRepeated: replayed };
  }
}

/** The id of the reservation stream: a key may hold characters that a stream name must not. */
function reservationId(appId: string, commandId: string): string {
  return `${appId}/${createHash('sha256').update(commandId).digest('base64url')}`;
}

/**
 * The refusal of a key's second use for a call that shows a secret once: the secret is not kept in the
 * clear and cannot be shown again (rules/api 13).
 *
 * @param id of the object that the first use made, or gave a new secret.
 */
export function secretShownAlready(id: string): ApiError {
  return new ApiError('ABORTED', {
    reason: 'SECRET_SHOWN_ALREADY',
    message:
      'This Idempotency-Key was used before, and its secret is shown only once. If that answer was lost, ask for another secret with a new key.',
    metadata: { id },
  });
}
