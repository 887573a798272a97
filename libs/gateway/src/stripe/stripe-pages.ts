import { askForBooks } from './stripe-errors.js';

/** Where a page begins: behind the last one of the page before. */
export type Next = { readonly starting_after?: string };

/** A list page by page, until its end or the signal. @throws Fault. */
export async function* readPages<T extends { readonly id: string }>(
  list: (next: Next) => Promise<{ readonly data: readonly T[]; readonly has_more: boolean }>,
  signal: AbortSignal,
): AsyncGenerator<readonly T[]> {
  let last: string | undefined;
  do {
    const next = last === undefined ? {} : { starting_after: last };
    const page = await askForBooks(() => list(next));
    yield page.data;
    last = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (last !== undefined && !signal.aborted);
}
