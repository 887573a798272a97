import { DelayedError, type Job } from 'bullmq';
import { assertDefect, type Log, warnSeldom } from '#platform';

/**
 * Puts a job off that is being processed: no attempt of it is used up. Every move of a job goes this way. The token
 * says that the job is this worker's: without it BullMQ takes a job away that runs, and it runs twice. Where the
 * move fails, the lock runs out and the job becomes due again.
 *
 * @throws DelayedError always: it tells BullMQ that the job has been moved.
 */
export async function putOff(
  job: Job,
  token: string | undefined,
  forMs: number,
  log: Log,
): Promise<never> {
  assertDefect(token !== undefined, 'a job that is processed has a token');
  await job.moveToDelayed(Date.now() + forMs, token).catch((error: unknown) => {
    warnSeldom(
      log,
      error,
      'a retry could not be put off: it is due again when its lock has run out',
    );
  });
  throw new DelayedError();
}
