/**
 * The books' figures in one run: the journal of a ledger from nothing against a bare reading of its events by the
 * official client; and reports of books with millions of entries against DuckDB's own statements on the same files, and
 * against hledger on a journal that was exported from them.
 */
import {
  type BenchOptions,
  type BenchResult,
  countRounds,
  median,
  progress,
  readLoad,
} from './benchmark.js';
import { measureFromNothing, type NothingRound } from './books-from-nothing.js';
import { measureReports } from './books-reports.js';
import { EVENTS_A_SUBSCRIPTION } from './histories.js';

export const description =
  'the journal from nothing, against a reading by the client (--events, 300,000), and its reports (--entries, 5,000,000)';

const DEFAULT_EVENTS = 300_000;
const DEFAULT_ENTRIES = 5_000_000;

export async function run({
  events = DEFAULT_EVENTS,
  entries = DEFAULT_ENTRIES,
}: BenchOptions): Promise<BenchResult> {
  const subscriptions = Math.ceil(events / EVENTS_A_SUBSCRIPTION);
  const load = { before: readLoad() };
  const rounds: NothingRound[] = [];
  for (let round = 1; round <= countRounds(events); round += 1) {
    const found = await measureFromNothing(subscriptions);
    progress(`round ${round}: ${found.value.toFixed(0)} booked, ${found.limit.toFixed(0)} read`);
    rounds.push(found);
  }
  const reports = await measureReports(entries);
  return {
    value: median(rounds.map(({ value }) => value)),
    limit: median(rounds.map(({ limit }) => limit)),
    unit: 'events/s',
    ratios: rounds.map(({ value, limit }) => value / limit),
    extra: {
      events: subscriptions * EVENTS_A_SUBSCRIPTION,
      seconds: rounds.map(({ seconds }) => seconds),
      micros: rounds.map(({ micros }) => micros),
      startSeconds: rounds.map(({ startSeconds }) => startSeconds),
      residentMb: rounds.map(({ residentMb }) => residentMb),
      ...reports,
      load: { ...load, behind: readLoad() },
    },
  };
}
