/**
 * Prints lists, each once: one that is remembered comes as the same object when it is asked for again
 * (`DocumentPageOptions.isRemembered`), and what was printed of it is forgotten with it.
 *
 * @returns what prints a list: its items, as `print` has them, with commas between. What they are printed
 *   with is the same each time, but where a player was erased or came back: then they are printed anew.
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
