import { describe, expect, it } from 'vitest';
import { delivery } from '../send/spec-support/delivery.js';
import { afterAttempts, createDeliveries } from '../spec-support/deliveries.js';

describe('deliveries that are in flight', () => {
  it('are taken up from Redis in order, with the attempts that were made before', async () => {
    const { upkeep, intake, queues, runs, there, jobs, makeRetry } = createDeliveries();
    const [first, second] = [delivery(1, 'whe_1', 'sub'), delivery(2, 'whe_1', 'sub')];
    const other = delivery(3, 'whe_2');
    there.push(first.member, second.member, other.member);
    jobs.set(first.member, afterAttempts(3));
    await intake.takeUp();
    upkeep.start();
    expect(runs).toEqual(['msg_3']);
    expect(queues.find('whe_1')?.find(first.member)).toMatchObject({ attempts: 3 });
    void makeRetry(first, 3);
    expect(runs).toEqual(['msg_3', 'msg_1']);
  });

  it('begin with the first attempt where Redis has lost their jobs, and wait for them where it has not', async () => {
    const { upkeep, intake, queues, runs, there, begin, end, jobs } = createDeliveries();
    await intake.takeUp();
    upkeep.start();
    const all = [delivery(1), delivery(2)];
    for (const { member } of all) there.push(member);
    await begin(...all);
    for (const { messageId } of all) await end(messageId, { kind: 'requeued' });
    jobs.set(delivery(2).member, afterAttempts(1));
    await intake.takeUp();
    expect(runs).toEqual(['msg_1', 'msg_2', 'msg_1']);
    expect(queues.find('whe_1')?.find(delivery(1).member)).toMatchObject({ attempts: 0 });
  });

  it('that another release wrote in a form of its own are left to it', async () => {
    const { intake, there, ended } = createDeliveries();
    there.push('a form of later');
    await intake.takeUp();
    expect(ended.size).toBe(0);
  });

  it('are due at once where their endpoint was enabled since they failed', async () => {
    const { intake, there, jobs, promoted } = createDeliveries();
    there.push(delivery(1).member, delivery(2).member);
    jobs.set(delivery(1).member, afterAttempts(1, '2027-01-01T00:00:00.000Z'));
    jobs.set(delivery(2).member, afterAttempts(1));
    await intake.takeUp();
    expect(promoted).toEqual([delivery(1).member]);
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
