import process from 'node:process';
import type { BookkeeperTask } from '#finance';
import { connectEventStore } from '#event-store/connect';
import { Fault, readParentTask } from '#platform';
import { readBookkeeperConfig } from './config.js';
import { EXIT_UNREACHABLE } from './finance/report-start.js';
import { writeReport } from './finance/write-report.js';

const USAGE = `usage: report-writer [--help]

A bookkeeper starts this program for each question that the API hands on, and gives it the question on the standard input.
Type "subledger finance" for reports at a terminal.
`;

const isTyped = process.argv.length > 2 || process.stdin.isTTY;
if (isTyped) process.stdout.write(USAGE);
else void run();

async function run(): Promise<void> {
  const config = readBookkeeperConfig(process.env);
  const { eventStoreUrl, namespace } = config;
  const store = connectEventStore(eventStoreUrl, { namespace });
  try {
    // Our own parent wrote it.
    await writeReport(store, (await readParentTask()) as BookkeeperTask, config);
    process.stdout.write('', () => process.exit(0));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    const isAway = error instanceof Fault && error.code === 'unavailable';
    process.stderr.write('', () => process.exit(isAway ? EXIT_UNREACHABLE : 1));
  }
}
