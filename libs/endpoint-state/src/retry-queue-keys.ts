import { partitionTag } from '#projection-engine';

/** The queue of BullMQ in which deliveries that failed wait for their next attempt (decision 0029). */
export const RETRY_QUEUE = 'webhooks';

/** What the keys of a partition's worker begin with, those of its queue among them (rules/storage 7). */
export function workerPrefix(layoutId: string, partition: number): string {
  return `${partitionTag(layoutId, partition)}:worker`;
}
