import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Commit, LogStore } from '../storage/log-store.js';
import { CommitQueue } from './commit-queue.js';

/** A disk that writes when the test says so. */
class SlowDisk {
  readonly commits: { readonly events: number; finish: (error?: Error) => void }[] = [];

  lastPosition(): number {
    return 10;
  }

  async commit({ events }: Commit): Promise<void> {
    const { length } = events;
    await new Promise<void>((resolve, reject) => {
      const finish = (error?: Error): void => (error ? reject(error) : resolve());
      this.commits.push({ events: length, finish });
    });
  }
}

let disk: SlowDisk;
let committed: number[];
let failures: Error[];
let queue: CommitQueue;

beforeEach(() => {
  disk = new SlowDisk();
  committed = [];
  failures = [];
  // Of the store, the queue uses these two methods and no more.
  queue = new CommitQueue(disk as unknown as LogStore, {
    committed: (position) => void committed.push(position),
    failed: (error) => void failures.push(error),
  });
});

afterEach(() => void vi.useRealTimers());

function append(): number {
  const position = queue.nextPosition;
  queue.stage('s', { position, record: Buffer.alloc(1), stream: 1, revision: position });
  queue.appendStaged();
  return position;
}

/** Enough turns of the event loop for everything that waits for no disk. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until the disk has been given so many commits: the last may have gathered for a while. */
async function commitsGiven(count: number): Promise<void> {
  while (disk.commits.length < count) await turns();
}

describe('the commit queue', () => {
  it('commits what is staged in one turn together', async () => {
    for (let n = 0; n < 5; n += 1) append();
    await commitsGiven(1);
    expect(disk.commits.map(({ events }) => events)).toEqual([5]);
  });

  it('has one commit on its way, and gathers the next one meanwhile', async () => {
    append();
    await commitsGiven(1);
    append();
    append();
    await turns();
    expect(disk.commits).toHaveLength(1);
    disk.commits[0]?.finish();
    await commitsGiven(2);
    expect(disk.commits.map(({ events }) => events)).toEqual([1, 2]);
  });

  it('says that an event is written when it is, and not before', async () => {
    const position = append();
    let isWritten = false;
    void queue.written(position).then(() => (isWritten = true));
    await commitsGiven(1);
    expect(isWritten).toBe(false);
    expect(queue.durablePosition).toBe(10);
    disk.commits[0]?.finish();
    await turns();
    expect(isWritten).toBe(true);
    expect(committed).toEqual([11]);
    expect(queue.durablePosition).toBe(11);
  });

  it('does not make a lone append wait for others that do not come', async () => {
    for (let n = 0; n < 64; n += 1) append();
    await commitsGiven(1);
    append();
    disk.commits[0]?.finish();
    await commitsGiven(2);
    expect(disk.commits.map(({ events }) => events)).toEqual([64, 1]);
  });

  it('lets one wait for the others of a few that were just answered, and for none that are late', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
    append();
    append();
    await commitsGiven(1);
    disk.commits[0]?.finish();
    await turns();
    append();
    await turns();
    expect(disk.commits).toHaveLength(1);
    append();
    await commitsGiven(2);
    disk.commits[1]?.finish();
    await turns();
    vi.advanceTimersByTime(10);
    append();
    await turns();
    expect(disk.commits.map(({ events }) => events)).toEqual([2, 2, 1]);
  });

  it('fails everything that is on its way when the disk fails, and takes no more', async () => {
    const [first, second] = [append(), queue.nextPosition];
    await commitsGiven(1);
    append();
    const outcomes = Promise.allSettled([queue.written(first), queue.written(second)]);
    disk.commits[0]?.finish(new Error('disk full'));
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(failures.map(({ message }) => message)).toEqual(['disk full']);
    expect(() => queue.assertWritable()).toThrow('can no longer write');
  });
});
