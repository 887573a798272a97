/** So many at a time: enough to meet each other, few enough to tell whose fault a slow answer is. */
const CONCURRENCY = 8;

/** Does something for each item, a bounded number at a time. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) await act(next.value);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}
