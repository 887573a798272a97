/** Does something for each item, a bounded number at a time. @throws the first error, after all have ended. */
export async function forEachBounded<T>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  let next = 0;
  const work = async () => {
    while (next < items.length && errors.length === 0) {
      // Inside the bounds just checked; an item may itself be undefined.
      const item = items[next] as T;
      next += 1;
      await act(item).catch((error: unknown) => void errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  if (errors.length > 0) throw errors[0];
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
