import { LRUCache } from 'lru-cache';
import type { PageTemplate } from './page-template.js';

/** Of one app: three thousand items, or three hundred in ten languages. */
const APP_BYTES = 8 * 1_048_576;
/** Of all apps; those whose shop was not looked at for longest go first. */
const ALL_BYTES = 64 * 1_048_576;

interface OfApp {
  readonly templates: LRUCache<string, PageTemplate>;
}

/** Templates of parts of pages, of each app by itself: a catalog of a thousand items pushes out no other app's. */
export class KeptTemplates {
  readonly #apps: LRUCache<string, OfApp>;

  constructor(
    private readonly appBytes = APP_BYTES,
    allBytes = ALL_BYTES,
  ) {
    this.#apps = new LRUCache({ maxSize: allBytes });
  }

  /** @param key says all that the template depends on. */
  find(appId: string, key: string, make: () => PageTemplate): PageTemplate {
    const templates = this.#apps.get(appId)?.templates ?? this.#forApp();
    const known = templates.get(key);
    if (known !== undefined) return known;
    const made = make();
    templates.set(key, made);
    // A cache takes the new size of what it has of a new entry alone.
    this.#apps.set(appId, { templates }, { size: Math.max(1, templates.calculatedSize) });
    return made;
  }

  #forApp(): LRUCache<string, PageTemplate> {
    const sizeCalculation = ({ bytes }: PageTemplate, key: string) => bytes + 2 * key.length;
    return new LRUCache({ maxSize: this.appBytes, sizeCalculation });
  }
}
