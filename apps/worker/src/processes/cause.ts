import type { Environment, Instant, RecordedFact } from '#domain/fact';
import type { Envelope } from '#event-store';

/** Why a process acts: what of a fact goes into the metadata of all that follows from it. */
export interface Cause {
  readonly factId: string;
  readonly correlationId: string;
  readonly appId: string;
  readonly environment: Environment;
  readonly externalAccountId?: string;
  readonly occurredAt: Instant;
  /** What on what: `charge_on_renewal_request`. */
  readonly process: string;
}

export function causeOf({ id, metadata }: RecordedFact, process: string): Cause {
  const { $correlationId, appId, environment, externalAccountId, occurredAt } = metadata;
  return {
    factId: id,
    correlationId: $correlationId,
    appId,
    environment,
    ...(externalAccountId !== undefined && { externalAccountId }),
    occurredAt,
    process,
  };
}

/**
 * The envelope of a command that follows from a fact. No command id: the domain itself takes
 * repetitions for what they are, and a note of each would fill the streams.
 *
 * @param now what the app's clock shows; never before the fact itself.
 */
export function envelopeOf(cause: Cause, now: Instant): Envelope {
  const { externalAccountId, occurredAt } = cause;
  return {
    appId: cause.appId,
    environment: cause.environment,
    actor: `process:${cause.process}`,
    correlationId: cause.correlationId,
    causationId: cause.factId,
    ...(externalAccountId !== undefined && { externalAccountId }),
    now: now > occurredAt ? now : occurredAt,
  };
}
