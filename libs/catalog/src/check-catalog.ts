import { checkTarget } from '#egress';
import { isObject } from '#nest/dto';
import { ItemFields, PriceFields, RowFields } from './catalog-shape.js';
import { nameItem, recallItem } from './known-items.js';
import { MAX_ITEMS, MAX_ROWS } from './limits.js';
import { Violations } from './violations.js';

/** The answer of a studio's backend (rules/catalog 3). */
export interface WrittenCatalog {
  readonly rows: readonly WrittenRow[];
}
export type WrittenRow = RowFields & { readonly items: readonly WrittenItem[] };
export type WrittenItem = ItemFields & { readonly price: PriceFields };

export interface CheckOptions {
  /** Whether pictures may be on the developer's own machine, as in a test app. */
  readonly allowInsecure: boolean;
}

/** The result of checking an answer. */
export interface CheckedCatalog {
  /** Where there are none, the answer is a `WrittenCatalog`. */
  readonly violations: Violations;
  /** Its items, by which each is known to `known-items.ts`. */
  readonly names: ReadonlyMap<unknown, string>;
}

/** Finds all that is wrong with an answer. */
export function checkCatalog(value: unknown, options: CheckOptions): CheckedCatalog {
  const check = new CatalogCheck(options);
  check.checkCatalog(value);
  return check;
}

/** Goes on after each violation, so that all of them are listed at once. */
class CatalogCheck implements CheckedCatalog {
  readonly violations = new Violations();
  readonly names = new Map<unknown, string>();
  /** The paths of the items, by their ids. */
  readonly #pathsById = new Map<string, string>();
  #items = 0;

  constructor(private readonly options: CheckOptions) {}

  checkCatalog(value: unknown): void {
    const catalog = this.#object(value, '$');
    if (catalog === undefined) return;
    for (const [at, row] of this.#entries(catalog['rows'], '$.rows', MAX_ROWS)) {
      this.#checkRow(row, `$.rows[${at}]`);
    }
    if (this.#items > MAX_ITEMS) {
      this.violations.add('$.rows', `must hold at most ${MAX_ITEMS} items in all`);
    }
  }

  #checkRow(value: unknown, path: string): void {
    const row = this.#object(value, path);
    if (row === undefined) return;
    this.violations.addFields(pick(new RowFields(), row, ['header']), path);
    for (const [at, item] of this.#entries(row['items'], `${path}.items`, MAX_ITEMS)) {
      this.#items += 1;
      // Items beyond the limit are not looked at.
      if (this.#items <= MAX_ITEMS) this.#checkItem(item, `${path}.items[${at}]`);
    }
  }

  #checkItem(value: unknown, path: string): void {
    const item = this.#object(value, path);
    if (item === undefined) return;
    const name = nameItem(item, this.options.allowInsecure);
    const known = name === undefined ? undefined : recallItem(name);
    if (name !== undefined) this.names.set(item, name);
    if (known === undefined) this.#checkFields(item, path);
    else this.#checkId(known, path);
  }

  #checkFields(item: Readonly<Record<string, unknown>>, path: string): void {
    const names = ['id', 'name', 'description', 'image'] as const;
    const bounds = ['max_purchasable', 'expiration_time_seconds'] as const;
    const fields = pick(new ItemFields(), item, [...names, ...bounds]);
    const before = this.violations.count;
    this.violations.addFields(fields, path);
    if (before === this.violations.count) {
      this.#checkAddress(fields, path);
      this.#checkId(fields, path);
    }
    const price = this.#object(item['price'], `${path}.price`);
    if (price === undefined) return;
    const priceFields = pick(new PriceFields(), price, ['currency', 'amount']);
    this.violations.addFields(priceFields, `${path}.price`);
  }

  #checkAddress({ image }: ItemFields, path: string): void {
    const target = checkTarget(image, this.options);
    if (!target.ok) {
      this.violations.add(`${path}.image`, `must be an https address, and ${target.reason}`);
    }
  }

  #checkId({ id }: Pick<ItemFields, 'id'>, path: string): void {
    const other = this.#pathsById.get(id);
    if (other === undefined) this.#pathsById.set(id, path);
    else this.violations.add(`${path}.id`, `must be of one item alone, and is that of ${other}`);
  }

  #object(value: unknown, path: string): Readonly<Record<string, unknown>> | undefined {
    if (isObject(value)) return value;
    this.violations.add(path, 'must be an object');
    return undefined;
  }

  #entries(value: unknown, path: string, max: number): Iterable<[number, unknown]> {
    if (!Array.isArray(value)) this.violations.add(path, 'must be a list');
    else if (value.length <= max) return value.entries();
    else this.violations.add(path, `must hold at most ${max} entries`);
    return [];
  }
}

/** The fields of these names alone, as they are: their rules find out whether they match their types. */
function pick<Fields extends object>(
  fields: Fields,
  value: Readonly<Record<string, unknown>>,
  names: readonly (keyof Fields & string)[],
): Fields {
  for (const name of names) Object.assign(fields, { [name]: value[name] });
  return fields;
}
