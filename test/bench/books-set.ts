import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BookFile, BooksLog, DuckDb, sqlText } from '#books';
import type { LedgerStore } from '#event-store';

/** A month that is over. */
export const PERIOD = '2025-01';
/** A capture's clearing, deferred money and tax, and the two entries of its recognition in the month. */
const ENTRIES_A_CHARGE = 5;
const LEAF_DIGITS = 12;

/** The entries of one app in the books. */
export interface AppEntries {
  readonly app: string;
  readonly entries: number;
}

/** Books as they are after a close: the entries of charges of one month, with those of recognition, in one file. */
export interface BooksSet {
  readonly folder: string;
  readonly file: string;
  readonly apps: readonly AppEntries[];
}

/**
 * Writes such books for a ledger, whose log has them instead of those that it has had. An event of few leaves has the
 * entries of several charges.
 *
 * @param leaves the size of the last checkpoint.
 */
export async function writeSet(
  store: LedgerStore,
  folder: string,
  apps: readonly AppEntries[],
  leaves: number,
): Promise<BooksSet> {
  const { storeId } = await store.namespaces.require();
  const sorted = [...apps].sort((left, right) => (left.app < right.app ? -1 : 1));
  const part = { environment: 'test', period: PERIOD, first: 0, last: leaves - 1 } as const;
  const name = `journal-${pad(part.first)}-${pad(part.last)}.parquet`;
  const place = `environment=${part.environment}/period=${PERIOD}/${name}`;
  const file = path.join(folder, place);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(path.join(folder, 'ledger'), `${storeId}\n`);
  const query = sorted.map((each) => `(${selectCharges(each, leaves)})`).join(' UNION ALL ');
  await DuckDb.with(folder, (duckDb) =>
    duckDb.run(`COPY (${query}) TO ${sqlText(file)} (FORMAT parquet, ROW_GROUP_SIZE 102400)`),
  );
  const rows = apps.reduce((sum, { entries }) => sum + entries, 0);
  const { size: bytes } = await stat(file);
  const hashes = { bytes, rowsHash: '', fileHash: '', writerVersion: '' };
  const described: BookFile = { ...part, path: place, rows, totals: [], ...hashes };
  const log = new BooksLog(store);
  // The last leaves are those of the closes.
  const closes = apps.map(({ app }, at) => {
    return { app, period: PERIOD, size: leaves - apps.length, leaf: leaves - apps.length + at };
  });
  await log.addFiles(await log.read(), { size: leaves, files: [described], closes });
  return { folder, file, apps };
}

/** Random as real ids and amounts are, and the same each time: files are as large as real ones. */
function selectCharges({ app, entries }: AppEntries, leaves: number): string {
  const charges = Math.floor(entries / ENTRIES_A_CHARGE);
  const perLeaf = Math.ceil(charges / leaves);
  return `
    WITH charges AS (
      SELECT i // ${ENTRIES_A_CHARGE} AS charge, i % ${ENTRIES_A_CHARGE} AS k,
        charge // ${perLeaf} AS leaf, (charge % ${perLeaf}) * 4 AS base,
        md5(${sqlText(app)} || leaf) AS random,
        1 + (hash(charge) % 30)::INTEGER AS day,
        (499 + hash(charge, 1) % 9500)::BIGINT AS net, net * 19 // 100 AS tax,
        net * (32 - day) // 31 AS earned,
        ['EUR', 'EUR', 'EUR', 'USD', 'JPY'][1 + (hash(charge, 2) % 5)::INTEGER] AS currency,
        ['DE', 'FR', 'US', 'JP', 'BR', 'GB', 'ES', 'PL'][1 + (hash(charge, 3) % 8)::INTEGER] AS country
      FROM range(${charges * ENTRIES_A_CHARGE}) t(i))
    SELECT random || '#' || (base + [1, 2, 2, 3, 4][k + 1]) || CASE WHEN k IN (2, 3) THEN '/${PERIOD}' ELSE '' END AS entry,
      leaf::BIGINT AS leaf,
      TIMESTAMPTZ '2025-01-01 00:00:00+00' + to_milliseconds(leaf * 8000) AS booked_at,
      CASE WHEN k IN (2, 3) THEN DATE '2025-01-31' ELSE make_date(2025, 1, day) END AS effective_on,
      false AS late,
      ['assets:gateway-clearing', 'liabilities:deferred-subscriptions', 'liabilities:deferred-subscriptions',
        'income:subscriptions', 'liabilities:tax-payable:' || country][k + 1] AS account,
      CASE k WHEN 0 THEN net + tax WHEN 2 THEN earned END AS debit_minor,
      CASE k WHEN 1 THEN net WHEN 3 THEN earned WHEN 4 THEN tax END AS credit_minor,
      currency, CASE currency WHEN 'JPY' THEN 0 ELSE 2 END AS exponent, ${sqlText(app)} AS app,
      CASE WHEN k IN (2, 3) THEN 'rules.v1/recognized' ELSE 'rules.v1/captured' END AS rule,
      random AS event_id, 'payment.captured.v1' AS event_type,
      'payment-pay_' || random AS stream, 'pay_' || random AS payment, 'sub_' || random AS subscription,
      '' AS "order", 'plan_' || (hash(charge, 4) % 40) AS plan, '' AS item_class, country,
      CASE WHEN k = 4 THEN '0.19' ELSE '' END AS tax_rate,
      CASE WHEN k = 4 THEN 1 END AS tax_rates_version,
      make_date(2025, 1, day) AS covers_from, make_date(2025, 1, day) + 31 AS covers_until,
      '' AS gateway_ref, 'process:charge' AS actor, '' AS reason
    FROM charges`;
}

function pad(leaf: number): string {
  return String(leaf).padStart(LEAF_DIGITS, '0');
}
