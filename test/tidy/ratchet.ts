import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * How often something that is being given up may still stand somewhere. A number may fall, and never
 * rises; what is not listed may not stand anywhere.
 */
const counts = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'allowed.json'), 'utf8'),
) as Readonly<Record<string, number>>;

/** How often it may stand in the whole repository. */
export function allowed(name: string): number {
  return counts[name] ?? 0;
}
