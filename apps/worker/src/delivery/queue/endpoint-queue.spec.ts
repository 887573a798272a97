import { describe, expect, it } from 'vitest';
import { at } from '../../spec-support/fakes.js';
import { EndpointQueue } from './endpoint-queue.js';
import type { Delivery } from '../send/outgoing-messages.js';
import type { QueuedDelivery } from './queued-delivery.js';

const delivery = (subject: string, n: number): Delivery => ({
  ...{ member: `${at(n)} whe_1 ${subject} ${n} 0 msg_${n}`, position: at(n), target: 'whe_1' },
  ...{ streamName: subject, revision: n, messageId: `msg_${n}` },
});

function create(...deliveries: Delivery[]) {
  const queue = new EndpointQueue('whe_1', 'app_1');
  for (const each of deliveries) queue.add(each);
  const offerAll = () => {
    const offered: QueuedDelivery[] = [];
    for (let item = queue.offer(); item !== undefined; item = queue.offer()) offered.push(item);
    return offered;
  };
  const ids = (items: readonly QueuedDelivery[]) => items.map((item) => item.delivery.messageId);
  return { queue, offerAll, ids };
}

const failed = (firstFailedAtMs = 1_000) => ({ attempts: 1, firstFailedAtMs });

describe('the queue of an endpoint', () => {
  it('offers the first of each subject, and the next one when that has ended', () => {
    const { queue, offerAll, ids } = create(
      ...[delivery('sub_1', 1), delivery('sub_1', 2), delivery('sub_2', 3)],
    );
    const offered = offerAll();
    expect(ids(offered)).toEqual(['msg_1', 'msg_3']);
    expect(queue.offered).toBe(2);
    queue.remove(offered[0]!);
    expect(ids(offerAll())).toEqual(['msg_2']);
    expect([queue.offered, queue.size]).toEqual([2, 2]);
  });

  it('has room again when what became of an attempt is noted', () => {
    const { queue, offerAll, ids } = create(delivery('sub_1', 1), delivery('sub_1', 2));
    const [first] = offerAll();
    expect([queue.offered, offerAll()]).toEqual([1, []]);
    queue.release(first!);
    expect(queue.offered).toBe(0);
    expect(ids(offerAll())).toEqual(['msg_1']);
    expect(queue.offered).toBe(1);
  });

  it('goes on when its stream does, by its job where it has failed before', () => {
    const { queue, offerAll, ids } = create(delivery('sub_1', 1), delivery('sub_2', 2));
    const [first, second] = offerAll();
    queue.park(first!);
    queue.postpone(second!, failed());
    queue.begin(second!, 1);
    queue.park(second!);
    expect([queue.offered, offerAll()]).toEqual([0, []]);
    for (const item of [first!, second!]) queue.wake(item);
    expect(ids(offerAll())).toEqual(['msg_1']);
    expect(second!.waitsFor).toBe('retry');
  });

  it('keeps the order of the store, in whatever order deliveries come', () => {
    const { queue, offerAll, ids } = create(delivery('sub_1', 2), delivery('sub_1', 1));
    const [first] = offerAll();
    expect(ids([first!])).toEqual(['msg_1']);
    queue.remove(first!);
    expect(ids(offerAll())).toEqual(['msg_2']);
  });

  it('has an order for what is sent again of a subject, by revisions, beside that of the subject', () => {
    const again = (askedAt: number, revision: number): Delivery => ({
      ...delivery('sub_1', revision),
      ...{ position: at(askedAt), messageId: `again_${revision}`, askedAtRevision: askedAt },
      member: `${at(askedAt)} whe_1 sub_1 ${revision} 0 again_${revision} ${askedAt}`,
    });
    const resends = [again(51, 2), again(50, 10), again(50, 9)];
    const { queue, offerAll, ids } = create(delivery('sub_1', 11), ...resends);
    const offered = offerAll();
    expect(ids(offered)).toEqual(['msg_11', 'again_9']);
    // One that fails holds back resends of its subject alone.
    queue.remove(offered[0]!);
    queue.add(delivery('sub_1', 12));
    expect(ids(offerAll())).toEqual(['msg_12']);
    queue.remove(offered[1]!);
    const [next] = offerAll();
    expect(ids([next!])).toEqual(['again_10']);
    queue.remove(next!);
    expect(ids(offerAll())).toEqual(['again_2']);
  });

  it('takes a delivery once', () => {
    const { queue, offerAll } = create(delivery('sub_1', 1), delivery('sub_1', 1));
    const [only] = offerAll();
    queue.add(delivery('sub_1', 1));
    expect([queue.size, offerAll()]).toEqual([1, []]);
    queue.remove(only!);
    expect(queue.size).toBe(0);
  });

  it('holds a subject back while its first one waits for its next attempt, and while that is made', () => {
    const { queue, offerAll, ids } = create(delivery('sub_1', 1), delivery('sub_1', 2));
    const [first] = offerAll();
    queue.postpone(first!, failed());
    expect(offerAll()).toEqual([]);
    queue.begin(first!, 1);
    expect([queue.offered, queue.retrying, offerAll()]).toEqual([1, 1, []]);
    queue.release(first!);
    expect([queue.offered, queue.retrying, offerAll()]).toEqual([0, 0, []]);
    queue.begin(first!, 1);
    queue.remove(first!);
    expect(ids(offerAll())).toEqual(['msg_2']);
    expect(queue.retrying).toBe(0);
  });

  it('begins anew with one whose job is lost', () => {
    const { queue, offerAll, ids } = create(delivery('sub_1', 1), delivery('sub_1', 2));
    const [first] = offerAll();
    queue.postpone(first!, failed());
    queue.beginAnew(first!);
    expect(ids(offerAll())).toEqual(['msg_1']);
    expect(first).toMatchObject({ attempts: 0, firstFailedAtMs: undefined });
  });

  it('counts the deferred ones, each once', () => {
    const { queue, offerAll, ids } = create(delivery('sub_1', 1), delivery('sub_1', 2));
    queue.add(delivery('sub_2', 3), failed(999));
    const [first] = offerAll();
    queue.postpone(first!, failed());
    queue.deferFailedSince(999);
    expect([queue.deferred, offerAll()]).toEqual([1, []]);
    queue.deferFailedSince(1_000);
    expect(queue.deferred).toBe(2);
    // A clock that was put back says that it is not late yet.
    queue.postpone(first!, failed(2_000));
    queue.deferFailedSince(1_000);
    expect(ids(offerAll())).toEqual(['msg_2']);
    expect([first!.isDeferred, first!.waitsFor]).toEqual([true, 'retry']);
    queue.remove(first!);
    queue.remove(queue.find(delivery('sub_2', 3).member)!);
    expect([queue.deferred, queue.size]).toEqual([0, 1]);
  });

  it('offers nothing while it is held, and all when it is not', () => {
    const { queue, offerAll, ids } = create(delivery('sub_1', 1));
    queue.hold();
    expect(offerAll()).toEqual([]);
    queue.letGo(undefined);
    const [item] = offerAll();
    queue.release(item!);
    expect(ids(offerAll())).toEqual(['msg_1']);
  });

  it('offers the oldest first of what was given back, as when its endpoint was found to be disabled', () => {
    const all = [1, 2, 3, 4, 5].map((n) => delivery(`sub_${n}`, n));
    const { queue, offerAll, ids } = create(...all);
    const offered = [queue.offer()!, queue.offer()!, queue.offer()!];
    for (const n of [1, 0, 2]) queue.release(offered[n]!);
    expect(ids(offerAll())).toEqual(all.map(({ messageId }) => messageId));
  });

  it('names what had failed before its endpoint was enabled, oldest first, and nothing that failed since', () => {
    const all = [1, 2, 3, 4].map((n) => delivery(`sub_${n}`, n));
    const { queue, offerAll, ids } = create(...all);
    const [first, second, third, fourth] = offerAll();
    const under = (enabledAt: string) => ({ ...failed(), enabledAt });
    queue.postpone(third!, under('monday'));
    queue.postpone(first!, under('monday'));
    queue.postpone(second!, under('tuesday'));
    queue.park(fourth!);
    queue.add(delivery('sub_5', 5));
    expect(ids(queue.failedBefore('tuesday'))).toEqual(['msg_1', 'msg_3']);
    expect(ids(queue.failedBefore('monday'))).toEqual(['msg_2']);
  });

  it('knows which attempts were begun before its endpoint was enabled', () => {
    const { queue } = create();
    // No news: the queue may be younger than the endpoint's state.
    expect(queue.isOfBefore('monday')).toBe(false);
    expect(queue.letGo('tuesday')).toBe(false);
    expect(['monday', 'tuesday', undefined].map((at) => queue.isOfBefore(at))).toEqual([
      ...[true, false, false],
    ]);
  });

  it('has what was given back once, whatever becomes of it', () => {
    const { queue, offerAll, ids } = create(delivery('sub_1', 2), delivery('sub_2', 3));
    const [item] = offerAll();
    queue.release(item!);
    queue.add(delivery('sub_1', 2));
    expect(queue.ready).toBe(1);
    // A late one is older, and goes first.
    queue.add(delivery('sub_1', 1));
    expect(ids(offerAll())).toEqual(['msg_1']);
    queue.remove(item!);
    expect(queue.ready).toBe(0);
  });

  it('lets later ones pass what has failed for long, also while that is tried', () => {
    const { queue, offerAll, ids } = create(delivery('sub_1', 1), delivery('sub_1', 2));
    const [first] = offerAll();
    queue.postpone(first!, failed());
    queue.begin(first!, 1);
    queue.deferFailedSince(1_000);
    expect(ids(offerAll())).toEqual(['msg_2']);
    queue.remove(first!);
    expect([queue.deferred, queue.size]).toEqual([0, 1]);
  });
});
