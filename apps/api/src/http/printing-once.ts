/**
 * Prints lists, each once: one that is remembered comes as the same object when it is asked for again
 * (`DocumentPageOptions.isRemembered`), and what was printed of it is forgotten with it.
 *
 * @returns what prints a list: its items, as `print` has them, with commas between.
 */
export function printingOnce<Item>(
  print: (item: Item) => string,
): (items: readonly Item[]) => string {
  const printed = new WeakMap<readonly Item[], string>();
  return (items) => {
    const known = printed.get(items);
    if (known !== undefined) return known;
    const text = items.map(print).join(',');
    printed.set(items, text);
    return text;
  };
}
