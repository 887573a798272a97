import { Fault } from '#platform';
import type { PersonalData } from '#tenancy';
import type { LoggedAttempt, LoggedDelivery } from '#worker-state';
import type { DeliveryAttemptDto, DeliveryDto, DeliveryRequestDto } from './delivery.dto.js';

/** Codes of attempts at which nothing was sent (rules/webhooks 6). */
const UNSENT = ['not_made', 'erased'];

/**
 * A delivery as operators see it.
 *
 * @param body shown for a single message. @throws Fault `unavailable`.
 */
export async function renderDelivery(
  appId: string,
  delivery: LoggedDelivery,
  body: string | null,
  personalData: Pick<PersonalData, 'openAnswer'>,
): Promise<DeliveryDto> {
  const { messageId, type, state, sequence, streamName, revision, newest, attempts } = delivery;
  const { recordedAt } = newest;
  const rendering = attempts.map((each) => renderAttempt(appId, each, personalData));
  return {
    ...{ webhookId: messageId, type, state, sequence, streamName, revision, recordedAt, body },
    attempts: await Promise.all(rendering),
  };
}

async function renderAttempt(
  appId: string,
  logged: LoggedAttempt,
  personalData: Pick<PersonalData, 'openAnswer'>,
): Promise<DeliveryAttemptDto> {
  const { attempt, startedAt, durationMs, status, error } = logged;
  const isSent = error === null || !UNSENT.includes(error.code);
  const body = status === null ? null : await openAnswer(appId, logged, personalData);
  return {
    ...{ attempt: attempt + 1, startedAt, durationMs },
    request: isSent ? renderRequest(logged) : null,
    answer: status === null ? null : { status, body },
    error,
  };
}

/** The headers follow from the message and the time; those that prove that we sent it are for the receiver alone. */
function renderRequest(logged: LoggedAttempt): DeliveryRequestDto {
  const { messageId, startedAt, attempt, sequence, url } = logged;
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(Date.parse(startedAt) / 1000)),
      'service-retry-count': String(attempt),
      'service-event-sequence': String(sequence),
    },
  };
}

/** An answer that does not open, as without its master key, takes no other attempt out of the page. */
async function openAnswer(
  appId: string,
  { messageId, player, answer: kept }: LoggedAttempt,
  personalData: Pick<PersonalData, 'openAnswer'>,
): Promise<string | null> {
  if (kept === null || player === null) return kept;
  try {
    return (await personalData.openAnswer({ appId, player }, messageId, kept)) ?? null;
  } catch (error) {
    if (error instanceof Fault && error.code === 'undecodable') return null;
    throw error;
  }
}
