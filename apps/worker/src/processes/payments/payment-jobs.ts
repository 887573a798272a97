import type { BulkJobOptions } from 'bullmq';
import type { ChargeRequest } from '#domain/payment';
import type { ChargeBound, ProcessStep } from '#domain/processes';
import { GATEWAY_ATTEMPTS } from '../../limits.js';
import type { Causation } from '../causation.js';

interface JobData {
  readonly causation: Causation;
  /** The job's member of the work in flight: it is taken out when the job is done. */
  readonly inFlight: string;
}

export interface ChargeJobData extends JobData {
  readonly kind: 'charge';
  readonly charge: ChargeRequest;
  /** Missing in jobs of earlier releases, which come again from their event with it. */
  readonly bound?: ChargeBound;
}

export interface RefundJobData extends JobData {
  readonly kind: 'refund';
  readonly paymentId: string;
  readonly refundId: string;
}

/** What is asked of the gateway: slow, outside of us, and so a job (rules/events 9). */
export type PaymentJobData = ChargeJobData | RefundJobData;

export interface PaymentJob {
  readonly name: string;
  readonly data: PaymentJobData;
  readonly opts: BulkJobOptions;
}

/** The job for a step; its id follows from what it pays or refunds, so that it is there once. */
export function paymentJobFor(
  step: Extract<ProcessStep, { kind: 'charge' | 'refund' }>,
  causation: Causation,
  inFlight: string,
): PaymentJob {
  const common = { causation, inFlight };
  if (step.kind === 'charge') {
    const { charge, bound } = step;
    const data = { ...common, kind: 'charge', charge, bound } as const;
    return { name: 'charge', data, opts: optionsFor(`charge-${charge.paymentId}`) };
  }
  const { paymentId, refundId } = step;
  const data = { ...common, kind: 'refund', paymentId, refundId } as const;
  return { name: 'refund', data, opts: optionsFor(`refund-${refundId}`) };
}

/** A job leaves nothing in BullMQ: it is in flight until it has its outcome, which is an event. */
function optionsFor(jobId: string): BulkJobOptions {
  return {
    jobId,
    attempts: GATEWAY_ATTEMPTS,
    backoff: { type: 'gateway' },
    removeOnComplete: true,
    removeOnFail: true,
  };
}
