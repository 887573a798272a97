import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BookedEvent, BooksKeeper, BooksLog, type Poster } from '#books';
import type { JournalRow } from '#domain/bookkeeping';
import { sealNow } from '#sealing';
import { SealedLedger } from '../sealing/support.js';
import { makeRow } from '../../support/journal-rows.js';

const GUIDE = readFileSync('docs/books.md', 'utf8');
/** The folder that the guide names. */
const DOCUMENTED = '/var/lib/subledger/books';

/** Beyond the integers of floating point, and three of them within 2^63. */
const LARGE = 2n ** 61n + 1n;
/** The guide asks for entries that were booked before the second one. */
const [BEFORE, BEHIND] = ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z'];

/** The entries of each leaf: those of other apps, environments, months and moments are not asked for. */
const ENTRIES: readonly Partial<JournalRow>[] = [
  ...[{ amountMinor: LARGE }, { amountMinor: LARGE }, { amountMinor: LARGE }, {}],
  ...[{ currency: 'JPY' }, { app: 'app_2' }, { environment: 'test' as const }],
  ...[{ period: '2026-02' }, { bookedAt: BEHIND }, { itemClass: '0012' }],
];

/** Books as the guide's lines read them. */
export interface GuideBooks {
  readonly folder: string;
  /** Lines of account, currency, debits and credits. */
  readonly expected: readonly string[];
  remove(): void;
}

export async function writeGuideBooks(): Promise<GuideBooks> {
  const folder = mkdtempSync(path.join(tmpdir(), 'subledger-guide-'));
  const ledger = await SealedLedger.start();
  try {
    const { store } = ledger;
    await ledger.add(ENTRIES.length, 'a');
    await sealNow(ledger.sealing);
    const keeper = new BooksKeeper({ store, folder, makePoster, intervalMs: 0 });
    await keeper.keep();
    keeper.end();
    const [file] = [...(await new BooksLog(store).read()).files.values()];
    if (file === undefined) throw new Error('there are no books');
    // As a bookkeeper leaves one behind that is killed before its event.
    const place = path.join(folder, file.path);
    copyFileSync(place, place.replace(/\d(?=\.parquet$)/, '0'));
  } finally {
    await ledger.remove();
  }
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { folder, expected: listExpected(), remove };
}

/** The code of the guide under a heading, about these books. */
export function guideCode(heading: string, { folder }: GuideBooks): string {
  const section = new RegExp(`^## ${heading}\\n(.*?)(?=^## |(?![^]))`, 'ms').exec(GUIDE)?.[1];
  const code = /^```\w+\n(.*?)^```$/ms.exec(section ?? '')?.[1];
  if (code === undefined) throw new Error(`the guide has no code for ${heading}`);
  return code.replaceAll(DOCUMENTED, folder);
}

function makePoster(): Poster {
  return {
    isWanted: (streamName) => streamName.startsWith('counter-'),
    post: ({ leaf, event }: BookedEvent) => makePair(leaf, event.id),
  };
}

function makePair(leaf: number, eventId: string): JournalRow[] {
  const common = { leaf: BigInt(leaf), eventId, environment: 'production' as const };
  const row = makeRow({ ...common, bookedAt: BEFORE, ...ENTRIES[leaf] });
  return [
    row,
    { ...row, number: 2, side: 'credit', account: 'liabilities:deferred-subscriptions' },
  ];
}

function listExpected(): string[] {
  const sums = new Map<string, { debit: bigint; credit: bigint }>();
  for (const row of ENTRIES.flatMap((_, leaf) => makePair(leaf, ''))) {
    const isAsked = row.app === 'app_1' && row.environment === 'production';
    if (!isAsked || row.period !== '2026-01' || row.bookedAt !== BEFORE) continue;
    const key = `${row.account},${row.currency}`;
    const sum = sums.get(key) ?? { debit: 0n, credit: 0n };
    sums.set(key, { ...sum, [row.side]: sum[row.side] + row.amountMinor });
  }
  return [...sums].map(([key, { debit, credit }]) => `${key},${debit},${credit}`).sort();
}
