import type { ChargeRequest } from '#domain/payment';
import type { ChargeBound, ProcessStep } from '#domain/processes';
import type { Causation } from './payment-commands.js';

interface JobData {
  readonly causation: Causation;
  /** The job's member of the work in flight: it is taken out when the job is done. */
  readonly inFlight: string;
}

export interface ChargeJobData extends JobData {
  readonly kind: 'charge';
  readonly charge: ChargeRequest;
  readonly bound: ChargeBound;
}

export interface RefundJobData extends JobData {
  readonly kind: 'refund';
  readonly paymentId: string;
  readonly refundId: string;
}

/** A request to the gateway: slow, outside of us, and so a job (rules/events 9). */
export type PaymentJobData = ChargeJobData | RefundJobData;

export interface PaymentJob {
  /** It follows from the paid or refunded payment, so that the job is there once. */
  readonly id: string;
  /** The same object at each attempt: by it is known whether its gateway was asked. */
  readonly data: PaymentJobData;
  /** Attempts of this job that have failed. */
  readonly attemptsMade: number;
}

/** The job for a step. */
export function paymentJobFor(
  step: Extract<ProcessStep, { kind: 'charge' | 'refund' }>,
  causation: Causation,
  inFlight: string,
): PaymentJob {
  const common = { causation, inFlight };
  if (step.kind === 'charge') {
    const { charge, bound } = step;
    const data = { ...common, kind: 'charge', charge, bound } as const;
    return { id: `charge-${charge.paymentId}`, data, attemptsMade: 0 };
  }
  const { paymentId, refundId } = step;
  const data = { ...common, kind: 'refund', paymentId, refundId } as const;
  return { id: `refund-${refundId}`, data, attemptsMade: 0 };
}
