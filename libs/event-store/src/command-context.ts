import type { Environment, DomainEvent, EventMetadata, Instant } from '#domain/event';
import { deriveUuid, newUuid } from '#platform';
import { clampTime } from './clamped-time.js';
import type { EventToAppend } from './event-store.js';

/** What surrounds a command: who, where, when, why, and how a repetition is recognised. */
export interface CommandContext {
  readonly appId: string;
  readonly environment: Environment;
  /** `player:<pseudonym>`, `app`, `operator:<name>` or `process:<name>`. */
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId?: string;
  /** The player's pseudonym, for everything that belongs to a player. */
  readonly player?: string;
  /** The app's time; an event is never dated before the one before it in its stream. */
  readonly now: Instant;
  /** From `Idempotency-Key`, or what a process derives from its cause. */
  readonly commandId?: string;
  /** A hash of the input, to tell a reused key from a repeated command. */
  readonly commandHash?: string;
  /** Another one that the same input has, where events of before may hold that. It is never stored. */
  readonly formerCommandHash?: string;
  /** `If-Match`: the revisions that the caller knows, one of which must be the stream's. */
  readonly ifMatch?: readonly number[];
  /**
   * When given, the ids of the events are derived from it instead of drawn. It must name this one
   * act and no other; repetitions are recognised by `commandId`.
   */
  readonly eventIdsFrom?: string;
}

/**
 * The events of one command, with ids and metadata.
 *
 * @param lastOccurredAt of the event before them in the stream: time does not run backwards in a
 *   stream (rules/events 3), though clocks may.
 */
export function eventsToAppend(
  events: readonly DomainEvent[],
  context: CommandContext,
  lastOccurredAt: Instant,
): EventToAppend[] {
  const { now: occurredAt } = clampTime(context, lastOccurredAt);
  return events.map(({ type, data }, index) => ({
    id:
      context.eventIdsFrom === undefined
        ? newUuid()
        : deriveUuid(`${context.eventIdsFrom} ${index}`),
    type,
    data,
    metadata: buildMetadata(context, occurredAt),
  }));
}

function buildMetadata(context: CommandContext, occurredAt: Instant): EventMetadata {
  const { causationId, player, commandId, commandHash } = context;
  return {
    $correlationId: context.correlationId,
    ...(causationId !== undefined && { $causationId: causationId }),
    actor: context.actor,
    appId: context.appId,
    ...(player !== undefined && { player }),
    environment: context.environment,
    ...(commandId !== undefined && { commandId }),
    ...(commandHash !== undefined && { commandHash }),
    occurredAt,
  };
}
