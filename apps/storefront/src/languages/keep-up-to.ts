import { LRUCache } from 'lru-cache';
import { upTo } from '#platform';

/** Keeps things that take far longer to make than to use, by names of which there are few; the rest is made anew. */
export function keepUpTo<Kept extends object>(
  max: number,
): (name: string, make: () => Kept) => Kept {
  const kept = new LRUCache<string, Kept>(upTo(max));
  return (name, make) => {
    let found = kept.get(name);
    if (found === undefined) kept.set(name, (found = make()));
    return found;
  };
}
