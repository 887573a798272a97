import { describe, expect, it } from '@jest/globals';
import { createDeliveries, delivery, retry } from './spec-support/deliveries.js';

describe('deliveries that are in flight', () => {
  it('are taken up from Redis in order, with the attempts that were made before', async () => {
    const { upkeep, intake, runs, there, kept, wake } = createDeliveries();
    const [first, second] = [delivery(1, 'whe_1', 'sub'), delivery(2, 'whe_1', 'sub')];
    const other = delivery(3, 'whe_2');
    there.push(first.member, second.member, other.member);
    kept.set(first.member, retry(first, 3));
    await intake.takeUp();
    upkeep.start();
    expect(runs).toEqual(['msg_3']);
    wake(retry(first, 2));
    expect(runs).toEqual(['msg_3']);
    wake(retry(first, 3));
    expect(runs).toEqual(['msg_3', 'msg_1']);
  });

  it('go on from the last attempt, though nothing is left to wake them', async () => {
    const { upkeep, intake, runs, there, kept, wake } = createDeliveries();
    const [due, later] = [delivery(1), delivery(2)];
    for (const each of [due, later]) there.push(each.member);
    kept.set(due.member, { attempts: 2, firstFailedAtMs: 0, dueAtMs: Date.now() - 1 });
    kept.set(later.member, retry(later, 3));
    await intake.takeUp();
    upkeep.start();
    expect(runs).toEqual(['msg_1']);
    wake(retry(later, 3));
    expect(runs).toEqual(['msg_1', 'msg_2']);
  });

  it('that another release wrote in a form of its own are left to it', async () => {
    const { intake, there, ended } = createDeliveries();
    there.push('a form of later');
    await intake.takeUp();
    expect(ended.size).toBe(0);
  });

  it('go at once where their endpoint was enabled since they failed, whenever they are due', async () => {
    const { upkeep, intake, runs, there, kept } = createDeliveries();
    there.push(delivery(1).member, delivery(2).member);
    const { attempts, firstFailedAtMs, dueAtMs } = retry(delivery(1), 1);
    const times = { attempts, firstFailedAtMs, dueAtMs };
    kept.set(delivery(1).member, { ...times, enabledAt: '2027-01-01T00:00:00.000Z' });
    kept.set(delivery(2).member, times);
    await intake.takeUp();
    upkeep.start();
    expect(runs).toEqual(['msg_1']);
  });

  it('that end while they are taken up once more are not made again', async () => {
    const { upkeep, intake, runs, there, begin, end, whileRead } = createDeliveries();
    await intake.takeUp();
    upkeep.start();
    there.push(delivery(1).member);
    await begin(delivery(1));
    // The feed goes on after an error, or with other partitions: all that is in flight is looked at.
    whileRead.push(() => end('msg_1'));
    await intake.takeUp();
    expect(runs).toEqual(['msg_1']);
    there.push(delivery(2).member);
    await intake.takeUp();
    expect(runs).toEqual(['msg_1', 'msg_2']);
  });

  it('to an endpoint that is gone end when they are taken up', async () => {
    const { upkeep, intake, runs, there, ended, acts } = createDeliveries();
    for (const n of [1, 2, 3]) there.push(delivery(n, 'whe_gone').member);
    await intake.takeUp();
    upkeep.start();
    expect([runs, ended.size]).toEqual([[], 3]);
    // One act for each page of them.
    expect(acts).toEqual([3]);
  });
});
