import type { BulkJobOptions } from 'bullmq';
import type { ChargeRequest } from '#domain/payment';
import type { ProcessStep } from '#domain/processes';
import { DEAD_KEPT, GATEWAY_ATTEMPTS } from '../../limits.js';
import type { Cause } from '../causation.js';

interface JobData {
  readonly cause: Cause;
  /** The job's member among the unsettled: it is taken out when the job is done. */
  readonly unsettled: string;
}

export interface ChargeJobData extends JobData {
  readonly kind: 'charge';
  readonly charge: ChargeRequest;
  /** How often a pending charge was asked for again. */
  readonly questions: number;
}

export interface RefundJobData extends JobData {
  readonly kind: 'refund';
  readonly paymentId: string;
  readonly refundId: string;
}

/** What is asked of the gateway: slow, outside of us, and so a job (architecture, "Life of an event"). */
export type PaymentJobData = ChargeJobData | RefundJobData;

export interface PaymentJob {
  readonly name: string;
  readonly data: PaymentJobData;
  readonly opts: BulkJobOptions;
}

/** The job for a step; its id follows from what it pays or refunds, so that it is there once. */
export function paymentJobFor(
  step: Extract<ProcessStep, { kind: 'charge' | 'refund' }>,
  cause: Cause,
  unsettled: string,
): PaymentJob {
  const common = { cause, unsettled };
  if (step.kind === 'charge') {
    const data = { ...common, kind: 'charge', charge: step.charge, questions: 0 } as const;
    return { name: 'charge', data, opts: optionsFor(`charge-${step.charge.paymentId}`) };
  }
  const { paymentId, refundId } = step;
  const data = { ...common, kind: 'refund', paymentId, refundId } as const;
  return { name: 'refund', data, opts: optionsFor(`refund-${refundId}`) };
}

/** A completed job leaves nothing: its outcome is an event. A dead one stays, for people to look at. */
function optionsFor(jobId: string): BulkJobOptions {
  return {
    jobId,
    attempts: GATEWAY_ATTEMPTS,
    backoff: { type: 'gateway' },
    removeOnComplete: true,
    removeOnFail: DEAD_KEPT,
  };
}
