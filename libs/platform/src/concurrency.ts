import pMap from 'p-map';

/**
 * Does something for each item, at most `concurrency` of them at a time. After an error nothing new is
 * begun, and the error is thrown when all that was under way has ended: a caller that tries the whole
 * again then meets no half of its first attempt.
 *
 * @throws the first error of `act`.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  const actUnlessFailed = async (item: T) => {
    if (errors.length > 0) return;
    await act(item).catch((error: unknown) => void errors.push(error));
  };
  await pMap(items, actUnlessFailed, { concurrency });
  if (errors.length > 0) throw errors[0];
}

/** Waits for all, also when one fails: nothing of them goes on behind the caller's back. @throws the first error. */
export async function settleAll(promises: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(promises)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}

/** Items with the same key together, each group in the order of the items. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
