import { RetryQueue } from '../../../apps/worker/src/jobs/retry-queue.js';
import type { RunningWorker } from './worker-here.js';

/** BullMQ keeps the due time of a delayed job in the upper bits of its score. */
const SCORE_PER_MS = 0x1000;

interface Delayed {
  readonly member: string;
  /** Until it is due. */
  readonly remainingMs: number;
}

/** The retries of a worker that wait for their time, the next one first. */
export async function listDelayed(worker: RunningWorker, endpointId = ''): Promise<Delayed[]> {
  const retries = retryQueue(worker);
  if (retries === undefined) return [];
  const scores = await readScores(retries);
  const jobs = await retries.queue.getDelayed();
  return jobs
    .filter(({ data }) => endpointId === '' || data.endpointId === endpointId)
    .map(({ data: { member } }) => ({
      member,
      remainingMs: (scores.get(member) ?? 0) / SCORE_PER_MS - Date.now(),
    }))
    .sort((one, other) => one.remainingMs - other.remainingMs);
}

/** Has those made that are due by now: a worker that waits for the next one does not see that the clock was put ahead. */
export async function makeDue(worker: RunningWorker): Promise<void> {
  const due = (await listDelayed(worker)).filter(({ remainingMs }) => remainingMs <= 0);
  await retryQueue(worker)?.promote(due.map(({ member }) => member));
}

function retryQueue(worker: RunningWorker): RetryQueue | undefined {
  return worker.partitions()[0]?.get(RetryQueue);
}

async function readScores({ queue, connections }: RetryQueue): Promise<Map<string, number>> {
  const key = queue.toKey('delayed');
  const texts = await connections.redis.zrange(key, 0, '-1', 'WITHSCORES');
  const scores = new Map<string, number>();
  for (let at = 0; at < texts.length; at += 2) scores.set(texts[at] ?? '', Number(texts[at + 1]));
  return scores;
}
