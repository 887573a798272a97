/**
 * Ends a bookkeeper (SIGKILL) at each step of writing the books: right before it sends something or changes a file, or
 * right before it learns of an answer. Another one goes on with the same folder, and in the end files, log and entries
 * are the same (rules/books 1).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SealReader } from '#sealing';
import { eventually } from '../support/eventually.js';
import { Purchases } from '../integration/books/purchases.js';
import { auditBooks, untilWritten } from './books/written-books.js';
import { BOOKS_STEPS, type BooksStep } from './books/steps.js';
import type { ChaosOptions, ChaosResult } from './chaos.js';
import { Findings } from './full-disk/findings.js';
import { untilInterrupted } from './full-disk/until-interrupted.js';
import { BookkeeperPair, type GatedBookkeeper } from './seals/pair.js';

export const description =
  'SIGKILL of a bookkeeper at each step of writing the books (--rounds; --only a number)';

const DEFAULT_ROUNDS = 3;
const APP = 'app_1';
const PURCHASES = 10;
/** Two months, a file for each. */
const DAYS = ['2026-01-15T10:00:00.000Z', '2026-02-15T10:00:00.000Z'];
const EVENTS_A_PURCHASE = 2;
const SEALED_LIMIT_MS = 60_000;

export function run({
  rounds = DEFAULT_ROUNDS,
  only,
  progress,
}: ChaosOptions): Promise<ChaosResult> {
  const chosen = BOOKS_STEPS.filter((_, at) => only === undefined || at === only);
  const steps = Array.from({ length: rounds }, () => chosen).flat();
  return untilInterrupted(killWhileWriting(steps, progress));
}

/** Kills at these steps, one after the other, and looks after each whether the books are right. */
export async function killWhileWriting(
  steps: readonly BooksStep[],
  progress: ChaosOptions['progress'],
): Promise<ChaosResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'subledger-books-'));
  const pair = await BookkeeperPair.start({ BOOKS_DIR: folder, BOOKS_INTERVAL_SECONDS: '1' });
  const findings = new Findings();
  try {
    for (const [at, step] of steps.entries()) {
      await killAt(pair, folder, step, at);
      const what = `a bookkeeper that ${step.name} dies`;
      for (const found of await auditBooks(pair.ledger.store, folder, APP))
        findings.add(what, found);
      progress(at + 1, steps.length, step.name);
    }
    const purchases = steps.length * PURCHASES * DAYS.length;
    const summary = `${steps.length} kills, ${purchases} purchases, each once in the books`;
    return { summary, figures: { kills: steps.length, purchases }, findings: findings.lines };
  } finally {
    await pair.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function killAt(pair: BookkeeperPair, folder: string, step: BooksStep, round: number) {
  const { holder } = await pair.findRoles();
  const { program, text, isAnswered = false } = step;
  const gated = { program, text, isAnswered };
  holder.gate.shut(gated, 'SIGKILL');
  const leaves = await buy(pair, round);
  await holder.gate.untilReached(gated);
  await holder.kill();
  await pair.freeLease();
  await restart(holder);
  await untilSealed(pair, leaves);
  await untilWritten(pair.ledger.store, folder, leaves);
}

/** @returns the size of a checkpoint that has all of them. */
async function buy(pair: BookkeeperPair, round: number): Promise<number> {
  const purchases = new Purchases(pair.ledger.store);
  const before = (await new SealReader(pair.ledger.store).findLast())?.checkpoint.size ?? 0;
  for (let at = 0; at < PURCHASES; at += 1) {
    for (const day of DAYS)
      await purchases.buyMonth(APP, `r${round}n${at}d${day.slice(6, 7)}`, day);
  }
  return before + PURCHASES * DAYS.length * EVENTS_A_PURCHASE;
}

async function restart(bookkeeper: GatedBookkeeper): Promise<void> {
  bookkeeper.gate.open();
  await bookkeeper.start();
}

async function untilSealed({ ledger }: BookkeeperPair, leaves: number): Promise<void> {
  const reader = new SealReader(ledger.store);
  const isSealed = async () => ((await reader.findLast())?.checkpoint.size ?? 0) >= leaves;
  await eventually(isSealed, { what: `a checkpoint of ${leaves}`, limitMs: SEALED_LIMIT_MS });
}
