import { describe, expect, it } from 'vitest';
import { createCommandExecutor, type EventStore } from '#event-store';
import { createSandboxChallenges, createSandboxGateway } from '#gateway';
import { MemoryEventStore } from '../../support/memory-event-store.js';

/** The bank of the sandbox's cards wants a confirmation (rules/payments 19). */
const RETURN = 'https://pay.example/checkout/cl_1';
const CARD = 'pm_authentication_required';
const asked = {
  ...{ key: 'pay_1', reference: 'sub_1', paymentMethod: CARD, offSession: false },
  ...{ amount: { amountMinor: '999', currency: 'USD' }, returnUrl: RETURN },
};
const open = { status: 'challenge', url: `${RETURN}/challenge/pay_1` };
const declined = { status: 'declined', decline: { declineClass: 'authentication_required' } };

function begin() {
  let nowMs = Date.parse('2027-01-31T10:00:00.000Z');
  const commands = createCommandExecutor(new MemoryEventStore() as unknown as EventStore);
  const clock = { now: () => new Date(nowMs).toISOString() };
  const around = { commands, clock };
  const wait = (hours: number) => void (nowMs += hours * 3_600_000);
  return { gateway: createSandboxGateway(around), bank: createSandboxChallenges(around), wait };
}

describe('a charge that the player has to confirm', () => {
  it('stays open for as long as the player says nothing', async () => {
    const { gateway, bank, wait } = begin();
    expect(await gateway.charge(asked)).toEqual(open);
    wait(100);
    expect(await gateway.charge(asked)).toEqual(open);
    expect(await gateway.findCharge(asked)).toEqual(open);
    expect(await bank.find(asked)).toEqual({ amount: asked.amount, outcome: null });
  });

  it.each([
    [true, { status: 'captured' }],
    [false, declined],
  ])('has its outcome once it is decided, and keeps it: accepted %s', async (accepts, outcome) => {
    const { gateway, bank } = begin();
    await gateway.charge(asked);
    expect(await bank.decide(asked, accepts)).toMatchObject({ outcome });
    expect(await bank.decide(asked, !accepts)).toMatchObject({ outcome });
    expect(await bank.find(asked)).toMatchObject({ outcome });
    expect(await gateway.charge(asked)).toMatchObject(outcome);
    expect(await gateway.findCharge(asked)).toMatchObject(outcome);
  });

  it('is declined where the player is not there, or cannot be led back', async () => {
    const { gateway, bank } = begin();
    expect(await gateway.charge({ ...asked, offSession: true })).toMatchObject(declined);
    const { returnUrl: _returnUrl, ...withoutWayBack } = asked;
    const other = { ...withoutWayBack, key: 'pay_2' };
    expect(await gateway.charge(other)).toMatchObject(declined);
    for (const { key, reference } of [asked, other]) {
      expect(await bank.find({ key, reference })).toBeUndefined();
    }
  });
});

describe('a decision about a charge that needs no confirmation', () => {
  it('changes nothing', async () => {
    const { gateway, bank } = begin();
    expect(await bank.decide(asked, true)).toBeUndefined();
    await gateway.charge({ ...asked, paymentMethod: 'pm_pending' });
    expect(await bank.decide(asked, true)).toBeUndefined();
    expect(await gateway.findCharge(asked)).toEqual({ status: 'pending' });
  });
});
