import type { Environment, Instant, RecordedEvent } from '#domain/event';
import type { CommandContext } from '#event-store';

/** Why a process acts: the part of an event that goes into the metadata of its consequences. */
export interface Causation {
  readonly eventId: string;
  readonly correlationId: string;
  readonly appId: string;
  readonly environment: Environment;
  readonly player?: string;
  readonly occurredAt: Instant;
  /** The act and its cause: `charge_on_renewal_request`. */
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
 * The context of a command that follows from an event. No command id: the domain itself recognizes repetitions, and a
 * note of each would fill the streams.
 *
 * @param now on the app's clock; never before the event itself.
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
