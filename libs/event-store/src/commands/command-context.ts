import type { DomainEvent, Environment, EventMetadata, Instant } from '#domain/event';
import { deriveUuid, newUuid } from '#platform';
import type { EventToAppend } from '../streams/event-store.js';
import type { Mutable } from '../streams/stored-form.js';

/** The circumstances of a command: caller, app, time, cause, and the sign of a repetition. */
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
  /** From `Idempotency-Key`, or derived by a process from its cause. */
  readonly commandId?: string;
  /** A hash of the input, to tell a reused key from a repeated command. */
  readonly commandHash?: string;
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
 * @param player whose stream it is, where the context names none.
 */
export function eventsToAppend(
  events: readonly DomainEvent[],
  context: CommandContext,
  lastOccurredAt: Instant,
  player = context.player,
): EventToAppend[] {
  const { now: occurredAt } = clampTime(context, lastOccurredAt);
  const { eventIdsFrom } = context;
  return events.map(({ type, data }, index) => {
    const id = eventIdsFrom === undefined ? newUuid() : deriveUuid(`${eventIdsFrom} ${index}`);
    return { id, type, data, metadata: buildMetadata(context, player, occurredAt) };
  });
}

/** Field by field: objects that are put together of others are most of the cost of an append beside its bytes. */
function buildMetadata(
  context: CommandContext,
  player: string | undefined,
  occurredAt: Instant,
): EventMetadata {
  const { causationId, commandId, commandHash, actor, appId, environment } = context;
  const metadata: Mutable<EventMetadata> = {
    $correlationId: context.correlationId,
    actor,
    appId,
    environment,
    occurredAt,
  };
  if (causationId !== undefined) metadata.$causationId = causationId;
  if (player !== undefined) metadata.player = player;
  if (commandId !== undefined) metadata.commandId = commandId;
  if (commandHash !== undefined) metadata.commandHash = commandHash;
  return metadata;
}

/**
 * A command or its context, at `earliest` where its `now` is before that: the clocks of machines differ, and time does not
 * run backwards in a stream (rules/events 3). A command without a `now` is given back as it
 * is.
 *
 * @param earliest when the last event of the stream occurred; empty for a stream without events.
 */
export function clampTime<Timed>(timed: Timed, earliest: Instant): Timed {
  return hasTime(timed) && timed.now < earliest ? { ...timed, now: earliest } : timed;
}

function hasTime(value: unknown): value is { readonly now: Instant } {
  return (
    typeof value === 'object' && value !== null && 'now' in value && typeof value.now === 'string'
  );
}
