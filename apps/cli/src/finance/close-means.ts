import process from 'node:process';
import { BooksReader } from '#books';
import { type CloseMeans, type FinanceApp, findOpenDifferences, type WithBooks } from '#finance';
import { type MasterKeys, wallClock } from '#platform';
import { CliError } from '../cli-error.js';
import { findBooksDir } from '../data-dir.js';
import { readParked } from '../parked/read-parked.js';
import type { FinanceOptions } from './finance-command.js';
import { openGatewayBooks } from './gateway-books.js';
import { sealAll } from './seal-now.js';

/** Reads books from the folder of the data directory, or from the log alone. */
export function readBooksIn(options: FinanceOptions): WithBooks {
  const folder = findBooksDir(options, process.env);
  return ({ isFromLog = false, ...reading }, use) =>
    BooksReader.with({ ...reading, folder: isFromLog ? undefined : folder }, use);
}

/** Everything that a close looks at from the command line. */
export function makeCloseMeans(
  app: FinanceApp,
  options: FinanceOptions,
  masterKeys: () => MasterKeys,
): CloseMeans {
  return {
    withBooks: readBooksIn(options),
    findParked: () => findParked(app),
    async findDifferences(period) {
      const books = await openGatewayBooks(app, masterKeys);
      return findOpenDifferences(app, { books, now: wallClock.now() }, period);
    },
    async seal() {
      const checkpoint = await sealAll(app.store, options);
      if (checkpoint === undefined) throw new CliError('This ledger has no event to seal.');
      return checkpoint;
    },
  };
}

/** The parked streams of an app, which the first event of each names. */
async function findParked({ store, appId }: FinanceApp): Promise<readonly string[]> {
  const streams: string[] = [];
  for (const { streamName } of await readParked(store)) {
    for await (const { metadata } of store.readStream(streamName, { maxCount: 1 })) {
      if (metadata.appId === appId) streams.push(streamName);
    }
  }
  return streams;
}
