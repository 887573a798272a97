import { LRUCache } from 'lru-cache';
import type { PageTemplate } from './page-template.js';

/** Of one app: three thousand items, or three hundred in ten languages. */
const APP_BYTES = 8 * 1_048_576;
/** Of all apps; those whose shop was not looked at for longest go first. */
const ALL_BYTES = 64 * 1_048_576;

/** In the place of what was asked for once. */
const ASKED = 'asked';

type Kept = PageTemplate | typeof ASKED;

interface OfApp {
  readonly templates: LRUCache<string, Kept>;
}

/** Templates of parts of pages, of each app by itself: a catalog of a thousand items pushes out no other app's. */
export class KeptTemplates {
  readonly #apps: LRUCache<string, OfApp>;

  constructor(
    private readonly appBytes = APP_BYTES,
    allBytes = ALL_BYTES,
    /** From which time on that it is asked for a template is kept. */
    private readonly keptFrom: 'first' | 'second' = 'first',
  ) {
    this.#apps = new LRUCache({ maxSize: allBytes });
  }

  /** @param key says all that the template depends on. */
  find(appId: string, key: string, make: () => PageTemplate): PageTemplate {
    const templates = this.#apps.get(appId)?.templates ?? this.#forApp();
    const known = templates.get(key);
    if (known !== undefined && known !== ASKED) return known;
    const made = make();
    templates.set(key, this.keptFrom === 'first' || known === ASKED ? made : ASKED);
    // A cache takes the new size of what it has of a new entry alone.
    this.#apps.set(appId, { templates }, { size: Math.max(1, templates.calculatedSize) });
    return made;
  }

  #forApp(): LRUCache<string, Kept> {
    const sizeCalculation = (kept: Kept, key: string) =>
      (kept === ASKED ? 0 : kept.bytes) + 2 * key.length;
    return new LRUCache({ maxSize: this.appBytes, sizeCalculation });
  }
}
