import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import { redisReply } from '#redis';
import { STATUS_POLL_BASE_MS, STATUS_POLL_CAP_MS, STATUS_POLLS } from '../../limits.js';
import type { ChargeJobData, PaymentJobData } from './payment-jobs.js';

/** After so much of its age a pending charge is asked for again: soon at first, then ever less often. */
const POLL_AGE_FRACTION = 1 / 4;

/**
 * Lets a job whose charge is pending at the gateway ask again later (rules/payments 4).
 *
 * @throws always: DelayedError, by which BullMQ knows that the job has been moved; UnrecoverableError when
 *   it has asked often enough.
 */
export async function pollLater(
  job: Job<PaymentJobData>,
  data: ChargeJobData,
  token: string,
): Promise<never> {
  const statusPolls = data.statusPolls + 1;
  if (statusPolls > STATUS_POLLS) {
    throw new UnrecoverableError(`${data.charge.paymentId} stays pending at the gateway`);
  }
  const ageMs = Date.now() - job.timestamp;
  const delayMs = Math.max(STATUS_POLL_BASE_MS, ageMs * POLL_AGE_FRACTION);
  await redisReply(job.updateData({ ...data, statusPolls }));
  const at = Date.now() + Math.min(delayMs, STATUS_POLL_CAP_MS);
  await redisReply(job.moveToDelayed(at, token));
  throw new DelayedError();
}
