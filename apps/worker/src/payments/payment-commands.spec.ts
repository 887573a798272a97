import { expect, it } from 'vitest';
import { addHours, toMilliseconds } from '#domain/calendar';
import type { RequestedPayment } from '#domain/payment';
import type { CommandExecutor } from '#event-store';
import { periodCharge } from '../../../../libs/domain/src/payment/spec-support/period-charge.js';
import { type Causation, PaymentCommands } from './payment-commands.js';

const NOW = '2027-02-03T10:00:00.000Z';
const hoursAgo = (hours: number) => addHours(NOW, -hours);

/** The age of a key counts from the earliest that is known (decision 0020). */
it.each([
  ['the event that asked', { asked: 30, requested: 20, due: 10, number: 2 }, 30],
  [
    'the request, as for a refund of an old payment',
    { asked: 1, requested: 72, due: 9, number: 2 },
    72,
  ],
  [
    'the date on which a renewal was due, in a ledger that was restored',
    { asked: 0, requested: 0, due: 48, number: 2 },
    48,
  ],
  [
    'no date of a first period, which begins with the click',
    { asked: 0, requested: 0, due: 48, number: 1 },
    0,
  ],
])('a key counts from %s', async (_, { asked, requested, due, number }, expected) => {
  const apps = { now: async () => NOW };
  const payments = new PaymentCommands({} as CommandExecutor, apps);
  const amount = { amountMinor: '999', currency: 'USD' };
  const charge = periodCharge({ subscriptionId: 'sub_1', amount, start: hoursAgo(due), number });
  // Nothing else of it is looked at.
  const payment = { ...charge, requestedAt: hoursAgo(requested) } as unknown as RequestedPayment;
  const causation = { occurredAt: hoursAgo(asked) } as Causation;
  const ageMs = await payments.ageMs(payment, causation);
  expect(ageMs).toBe(toMilliseconds(NOW) - toMilliseconds(hoursAgo(expected)));
});
