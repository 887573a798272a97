import type { LoggedAttempt } from '#delivery-log';
import { Fault } from '#platform';
import type { PersonalData } from '#tenancy';
import type { DeliveryAttemptDto } from './delivery.dto.js';

/** An attempt as operators see it. @throws Fault `unavailable`. */
export async function renderDelivery(
  appId: string,
  attempt: LoggedAttempt,
  personalData: Pick<PersonalData, 'openAnswer'>,
): Promise<DeliveryAttemptDto> {
  const { messageId, type, streamName, revision, sequence, attempt: retryCount } = attempt;
  const { startedAt, recordedAt, durationMs, outcome, status, error } = attempt;
  return {
    ...{ messageId, type, streamName, revision, sequence, retryCount },
    ...{ startedAt, recordedAt, durationMs, outcome, status, error },
    answer: await openAnswer(appId, attempt, personalData),
  };
}

/** What does not open, as without its master key, takes no other attempt out of the page. */
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
