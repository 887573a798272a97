import { describe, expect, it } from 'vitest';
import type { CommandExecutor } from '#event-store';
import { Fenced } from '#projection-engine';
import type { InFlightSet } from '../redis/in-flight-set.js';
import { GATEWAY_ATTEMPTS } from '../limits.js';
import { createLease } from '../spec-support/fakes.js';
import type { PaymentJob } from './payment-jobs.js';
import { askAgainAfterMs, gatewayRetryMs } from './job-result.js';
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

const HOUR_MS = 3_600_000;

describe('waiting for a gateway', () => {
  it('is short after a failure', () => {
    expect([0, 0.5, 1].map(gatewayRetryMs)).toEqual([400, 500, 600]);
  });

  it('grows with the age of what has no outcome, from a second to ten minutes', () => {
    const waits = [-HOUR_MS, 0, 4_000, 40_000, HOUR_MS, 1_000 * HOUR_MS];
    expect(waits.map((ageMs) => askAgainAfterMs(ageMs, 0.5))).toEqual([
      ...[1_000, 1_000, 1_000, 10_000],
      ...[600_000, 600_000],
    ]);
    expect(askAgainAfterMs(0, 0)).toBe(800);
    expect(askAgainAfterMs(1_000 * HOUR_MS, 0.5, 24 * HOUR_MS)).toBe(24 * HOUR_MS);
  });
});
