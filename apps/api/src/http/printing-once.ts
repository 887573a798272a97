/**
 * Prints lists, each once: one that is remembered comes as the same object when it is asked for again
 * (`DocumentPageOptions.isRemembered`), and its printed text is forgotten with it.
 *
 * @returns the printer of a list: its items, as `print` has them, with commas between. Only an erasure or a return of a
 *   player changes their text: then they are printed anew.
 */
export function printingOnce<Item>(
  print: (item: Item, printedWith: string) => string,
): (items: readonly Item[], printedWith?: string) => string {
  const printed = new WeakMap<readonly Item[], { printedWith: string; text: string }>();
  return (items, printedWith = '') => {
    const known = printed.get(items);
    if (known?.printedWith === printedWith) return known.text;
    const text = items.map((item) => print(item, printedWith)).join(',');
    printed.set(items, { printedWith, text });
    return text;
  };
}
