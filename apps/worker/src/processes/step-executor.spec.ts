import { describe, expect, it } from 'vitest';
import type { ProcessOutput, ProcessStep } from '#domain/processes';
import type { CommandExecutor } from '#event-store';
import { Fault } from '#platform';
import type { Planned } from '../feed/event-consumer.js';
import type { InFlightSet } from '../redis/in-flight-set.js';
import { createGate } from '../feed/spec-support/gate.js';
import { at, createEvent, nextTurn } from '../spec-support/fakes.js';
import type { PaymentJob } from '../payments/payment-jobs.js';
import { createStepExecutor } from './spec-support/step-executor.js';

type Plan = readonly ProcessOutput[];

const NOW = '2026-02-01T00:00:00.000Z';
const refund: ProcessStep = { kind: 'refund', paymentId: 'pay_1', refundId: 'ref_1' };
const command = (id: string): ProcessStep =>
  // The content of the command does not matter here.
  ({ kind: 'subscription', id, command: { kind: id } }) as unknown as ProcessStep;
const planned = (position: number, ...steps: ProcessStep[]): Planned<Plan> => ({
  event: createEvent(`sub_${position}`, position),
  plan: [{ process: 'do_on_event', steps }],
});

interface Fakes {
  readonly execute?: (id: string) => Promise<{ accepted: boolean; rejection?: { code: string } }>;
  readonly begin?: () => Promise<void>;
  readonly hasEnded?: (member: string) => boolean;
}

function create({
  execute = async () => ({ accepted: true }),
  begin,
  hasEnded = () => false,
}: Fakes = {}) {
  const log: string[] = [];
  const commands = {
    execute: async (_: unknown, id: string, __: unknown, context: { actor: string }) => {
      log.push(`${context.actor} ${id}`);
      return execute(id);
    },
  } as unknown as CommandExecutor;
  const payments = {
    add: (jobs: readonly PaymentJob[]) => {
      if (jobs.length > 0) log.push(`jobs ${jobs.map(({ data }) => data.kind).join()}`);
    },
  };
  const inFlight = {
    begin: async (members: readonly { member: string }[]) => {
      await begin?.();
      log.push(`in flight ${members.length}`);
      return members.map(({ member }) => member).filter((member) => !hasEnded(member));
    },
  };
  const around = { payments, inFlight: inFlight as Partial<InFlightSet> };
  const executor = createStepExecutor(commands, NOW, around);
  return { executor, log, ...createGate() };
}

describe('the steps of processes', () => {
  it('that ask the gateway are noted as in flight before there is a job', async () => {
    const { executor, log, gate } = create();
    await executor.execute([planned(1, refund)], gate);
    expect(log).toEqual(['in flight 1', 'jobs refund']);
  });

  it('are not asked again when they have ended: their events may come again', async () => {
    const { executor, log, gate } = create({ hasEnded: (member) => member.startsWith(at(1)) });
    await executor.execute([planned(1, refund)], gate);
    expect(log).toEqual(['in flight 1']);
  });

  it('have no job when they could not be noted, and the events come again', async () => {
    const away = new Fault('unavailable', 'Redis is away', { retryable: true });
    const { executor, log, gate } = create({ begin: () => Promise.reject(away) });
    const executed = executor.execute([planned(1, refund), planned(2, command('sub_2'))], gate);
    await expect(executed).rejects.toMatchObject({ code: 'unavailable' });
    expect(log).toEqual([]);
  });

  it('are commands signed by their process, those to one stream in the order of the events', async () => {
    const given: string[] = [];
    const { executor, log, gate } = create({
      execute: async (id) => {
        given.push(id);
        await nextTurn();
        given.push(`${id} done`);
        return { accepted: true };
      },
    });
    const steps = [planned(1, command('sub_x')), planned(2, command('sub_x'))];
    await executor.execute(steps, gate);
    expect(log[0]).toBe('process:do_on_event sub_x');
    expect(given).toEqual(['sub_x', 'sub_x done', 'sub_x', 'sub_x done']);
  });

  it('are given one after the other for one event', async () => {
    const log: string[] = [];
    const { executor, gate } = create({
      execute: async (id) => {
        log.push(id);
        await nextTurn();
        log.push(`${id} done`);
        return { accepted: true };
      },
    });
    await executor.execute([planned(1, command('sub_1'), command('sub_2'))], gate);
    expect(log).toEqual(['sub_1', 'sub_1 done', 'sub_2', 'sub_2 done']);
  });

  it('that are refused park the stream of their event alone', async () => {
    const { executor, gate, parked, log } = create({
      execute: async (id) =>
        id === 'sub_bad'
          ? { accepted: false, rejection: { code: 'subscription/expired' } }
          : { accepted: true },
    });
    await executor.execute([planned(1, command('sub_bad')), planned(2, command('sub_ok'))], gate);
    expect([...parked.values()]).toMatchObject([
      { position: at(1), streamName: 'subscription-sub_1' },
    ]);
    expect([...parked.values()][0]?.reason).toContain('subscription/expired');
    expect(log).toContain('process:do_on_event sub_ok');
  });

  it('are not done for an event whose stream was parked before', async () => {
    const { executor, gate, log } = create();
    const first = planned(1, command('sub_x'));
    await gate.poison(first.event, new Error('a defect'));
    await executor.execute([first], gate);
    expect(log).toEqual([]);
  });

  it('come again when the world failed', async () => {
    const away = new Fault('unavailable', 'the store is away', { retryable: true });
    const { executor, gate, parked } = create({ execute: () => Promise.reject(away) });
    await expect(executor.execute([planned(1, command('sub_1'))], gate)).rejects.toBe(away);
    expect(parked.size).toBe(0);
  });
});
