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

  it('go on from the last attempt, though nothing is left to wake them, and from what a former release has kept', async () => {
    const { upkeep, intake, runs, there, kept, jobs, ended, wake } = createDeliveries();
    const [due, later, counted] = [delivery(1), delivery(2), delivery(3)];
    for (const each of [due, later, counted]) there.push(each.member);
    kept.set(due.member, { attempts: 2, firstFailedAtMs: 0, dueAtMs: Date.now() - 1 });
    jobs.set(later.member, retry(later, 3));
    kept.set(counted.member, { attempts: 1, firstFailedAtMs: 0, dueAtMs: 0 });
    jobs.set(counted.member, retry(counted, 2));
    kept.set(delivery(4).member, { attempts: 1, firstFailedAtMs: 0, dueAtMs: 0 });
    await intake.takeUp();
    upkeep.start();
    expect(runs).toEqual(['msg_1']);
    for (const each of [later, counted]) wake(retry(each, each === later ? 3 : 2));
    expect(runs).toEqual(['msg_1', 'msg_2', 'msg_3']);
    // What a former release has ended leaves nothing behind.
    expect([...ended]).toEqual([delivery(4).member]);
  });

  it('that another release wrote in a form of its own are left to it, with what was kept of them', async () => {
    const { intake, there, kept, ended } = createDeliveries();
    there.push('a form of later');
    kept.set('a form of later', { attempts: 1, firstFailedAtMs: 0, dueAtMs: 0 });
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
    const { upkeep, intake, runs, there, kept, ended, acts } = createDeliveries();
    for (const n of [1, 2, 3]) there.push(delivery(n, 'whe_gone').member);
    for (const n of [4, 5]) {
      kept.set(delivery(n).member, { attempts: 1, firstFailedAtMs: 0, dueAtMs: 0 });
    }
    await intake.takeUp();
    upkeep.start();
    expect([runs, ended.size]).toEqual([[], 5]);
    // An act for each page of them, and one for what a former release has left.
    expect(acts).toEqual([3, 2]);
  });

  it('of a former release leave nothing behind: its keys are removed once, before one ends', async () => {
    const { intake, there, ended, endpoints, removals } = createDeliveries();
    endpoints.delete('whe_1');
    there.push(delivery(1).member);
    await intake.takeUp();
    await intake.takeUp();
    expect([removals, ended.size > 0]).toEqual([[[]], true]);
  });
});
