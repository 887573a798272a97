import type { Environment, Instant, RecordedEvent } from '#domain/event';
import type { CommandContext } from '#event-store';

/** Why a process acts: what of an event goes into the metadata of all that follows from it. */
export interface Causation {
  readonly eventId: string;
  readonly correlationId: string;
  readonly appId: string;
  readonly environment: Environment;
  readonly player?: string;
  readonly occurredAt: Instant;
  /** What on what: `charge_on_renewal_request`. */
  readonly process: string;
}

export function causationOf(
  { id, metadata }: Pick<RecordedEvent, 'id' | 'metadata'>,
  process: string,
): Causation {
  const { $correlationId, appId, environment, player, occurredAt } = metadata;
  return {
    eventId: id,
    correlationId: $correlationId,
    appId,
    environment,
    ...(player !== undefined && { player }),
    occurredAt,
    process,
  };
}

/**
 * The context of a command that follows from an event. No command id: the domain itself takes
 * repetitions for what they are, and a note of each would fill the streams.
 *
 * @param now what the app's clock shows; never before the event itself.
 */
export function contextFrom(causation: Causation, now: Instant): CommandContext {
  const { player, occurredAt } = causation;
  return {
    appId: causation.appId,
    environment: causation.environment,
    actor: `process:${causation.process}`,
    correlationId: causation.correlationId,
    causationId: causation.eventId,
    ...(player !== undefined && { player }),
    now: now > occurredAt ? now : occurredAt,
  };
}
