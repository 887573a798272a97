/**
 * The streams whose events have a leaf in the tree, by category (rules/evidence 2): one table, which a test holds against
 * the code.
 */
import { categoryOf } from '#domain/event';

/** The reasons for which events of a stream have no leaf. */
export type NoLeaf = 'forgets by age or number' | 'is of seals themselves';

const FORGETS = 'forgets by age or number';
const OF_SEALS = 'is of seals themselves';

/** By category: `leaf`, or the reason why not. */
export const LEAF_TABLE = {
  ...{ activity: FORGETS, app: 'leaf', books: 'leaf', cart: 'leaf' },
  ...{ catalog_failures: FORGETS, checkout_link: 'leaf', delivery_checkpoint: FORGETS },
  ...{ endpoint_list: 'leaf', finance: 'leaf', idempotency_key: 'leaf', loyalty: 'leaf' },
  loyalty_program: 'leaf',
  ...{ operator_tokens: 'leaf', order: 'leaf', order_link: 'leaf', parked_retry: 'leaf' },
  ...{ payment: 'leaf', plan: 'leaf', plan_code: 'leaf', player: 'leaf', player_plans: 'leaf' },
  ...{ price_sheet: 'leaf', price_sheet_rows: 'leaf', projection: 'leaf' },
  ...{ sandbox_account: 'leaf', seal_checkpoints: OF_SEALS, seal_notice: FORGETS },
  ...{ seal_tiles: OF_SEALS, seal_witnesses: 'leaf', settlement: 'leaf' },
  ...{ shop: 'leaf', shop_session: FORGETS, subscription: 'leaf', tax_rates: 'leaf' },
  ...{ test_clock: 'leaf', time_index: FORGETS, webhook_endpoint: 'leaf' },
} as const satisfies Readonly<Record<string, 'leaf' | NoLeaf>>;

/** Whether the events of a stream have a leaf, by its name without the namespace; those of unknown categories have one. */
export function hasLeaf(streamName: string): boolean {
  const table: Readonly<Record<string, string>> = LEAF_TABLE;
  const category = categoryOf(streamName);
  return !Object.hasOwn(table, category) || table[category] === 'leaf';
}

/**
 * The expression that matches the stored names of all streams of a namespace; `hasLeaf` leaves out the rest. One that
 * looks ahead for categories costs the embedded store a run with a time limit for each part of the log.
 */
export function ledgerPattern(namespace: string): string {
  return `^${namespace}\\.`;
}
