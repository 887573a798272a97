import type { Environment, Fact, FactMetadata, Instant } from '#domain/fact';
import { deriveUuid, newUuid } from '#platform';
import { schemaVersionOf } from './codec.js';
import type { EventToAppend } from './event-store.js';

/** What surrounds a command: who, where, when, why, and how a repetition is recognised. */
export interface Envelope {
  readonly appId: string;
  readonly environment: Environment;
  /** `player:<id>`, `app`, `operator:<name>` or `process:<name>`. */
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId?: string;
  /** Given for everything that belongs to a player: it chooses the lane. */
  readonly externalAccountId?: string;
  /** The app's time; an event is never dated before the one before it in its stream. */
  readonly now: Instant;
  /** From `Idempotency-Key`, or what a process derives from its cause. */
  readonly commandId?: string;
  /** A hash of the input, so that a reused key is told from a repeated command. */
  readonly commandHash?: string;
  /** `If-Match`: the revisions that the caller goes by, one of which must be the stream's. */
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
 *   stream (decisions 6), though clocks may.
 */
export function eventsToAppend(
  facts: readonly Fact[],
  envelope: Envelope,
  lastOccurredAt: Instant,
): EventToAppend[] {
  const occurredAt = envelope.now > lastOccurredAt ? envelope.now : lastOccurredAt;
  return facts.map(({ type, data }, index) => ({
    id:
      envelope.eventIdsFrom === undefined
        ? newUuid()
        : deriveUuid(`${envelope.eventIdsFrom} ${index}`),
    type,
    data,
    metadata: metadataOf(envelope, schemaVersionOf(type), occurredAt),
  }));
}

function metadataOf(envelope: Envelope, schemaVersion: number, occurredAt: Instant): FactMetadata {
  const { causationId, externalAccountId, commandId, commandHash } = envelope;
  return {
    $correlationId: envelope.correlationId,
    ...(causationId !== undefined && { $causationId: causationId }),
    actor: envelope.actor,
    appId: envelope.appId,
    ...(externalAccountId !== undefined && { externalAccountId }),
    environment: envelope.environment,
    schemaVersion,
    ...(commandId !== undefined && { commandId }),
    ...(commandHash !== undefined && { commandHash }),
    occurredAt,
  };
}
