import { describe, expect, it } from '@jest/globals';
import { DelayedError, type Job } from 'bullmq';
import type { CommandExecutor } from '#event-store';
import { Fenced } from '#projection-engine';
import type { InFlightSet } from '../../feed/in-flight-set.js';
import { GATEWAY_ATTEMPTS } from '../../limits.js';
import { createLease } from '../../spec-support/fakes.js';
import type { PaymentJobData } from './payment-jobs.js';
import { createPaymentHandler } from './spec-support/payment-handler.js';

const NOW = '2026-01-01T00:00:00.000Z';

describe('a charge', () => {
  it('goes back as it was when another process holds its partition, also at the last attempt', async () => {
    const commands = {
      execute: async () => ({
        accepted: true,
        state: { status: 'SUCCEEDED' },
        position: null,
        events: [],
      }),
    } as unknown as CommandExecutor;
    const inFlight: Partial<InFlightSet> = {
      end: async () => {
        throw new Fenced(createLease().fence);
      },
    };
    const handler = createPaymentHandler({ commands, inFlight, now: () => NOW });
    const tokens: unknown[] = [];
    const job = {
      data: { kind: 'charge', charge: { paymentId: 'pay_1' }, causation: {}, inFlight: 'member' },
      attemptsMade: GATEWAY_ATTEMPTS - 1,
      moveToDelayed: async (_atMs: number, token: unknown) => void tokens.push(token),
    } as unknown as Job<PaymentJobData>;
    await expect(handler.process(job, 'token')).rejects.toThrow(DelayedError);
    expect(tokens).toEqual(['token']);
  });
});
