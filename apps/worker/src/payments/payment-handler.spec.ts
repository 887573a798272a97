import { describe, expect, it } from 'vitest';
import type { CommandExecutor } from '#event-store';
import { Fenced } from '#projection-engine';
import type { InFlightSet } from '../redis/in-flight-set.js';
import { GATEWAY_ATTEMPTS } from '../limits.js';
import { createLease } from '../spec-support/fakes.js';
import type { PaymentJob } from './payment-jobs.js';
import { createPaymentHandler } from './spec-support/payment-handler.js';

const NOW = '2026-01-01T00:00:00.000Z';

describe('a charge', () => {
  it('says that this process may not act when another one holds its partition, also at the last attempt', async () => {
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
    const job = {
      data: { kind: 'charge', charge: { paymentId: 'pay_1' }, causation: {}, inFlight: 'member' },
      attemptsMade: GATEWAY_ATTEMPTS - 1,
    } as unknown as PaymentJob;
    await expect(handler.process(job)).rejects.toThrow(Fenced);
  });
});
