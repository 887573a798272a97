import process from 'node:process';
import { BooksReader } from '#books';
import {
  type CloseMeans,
  countClose,
  type FinanceApp,
  findOpenDifferences,
  type ReportSources,
} from '#finance';
import { type MasterKeys, wallClock } from '#platform';
import { findParkedStreams } from '#worker-state';
import { findBooksDir } from '../data-dir.js';
import type { FinanceOptions } from './finance-command.js';
import { openGatewayBooks } from './gateway-books.js';
import { sealAll } from './seal-now.js';

/** Reads books by the files of the data directory, or from the log alone. */
export function openSources(
  app: FinanceApp,
  options: FinanceOptions & { readonly checkFiles?: boolean },
): ReportSources {
  const folder = findBooksDir(options, process.env);
  const withBooks = BooksReader.by({ folder, checksFiles: options.checkFiles === true });
  return { app, withBooks, seal: () => sealAll(app.store, options) };
}

/** Everything that a close looks at from the command line. */
export function makeCloseMeans(
  app: FinanceApp,
  options: FinanceOptions,
  masterKeys: () => MasterKeys,
): CloseMeans {
  return {
    findParked: () => findParkedStreams(app.store, app.appId),
    async findDifferences(period) {
      const { signal } = new AbortController();
      const books = await openGatewayBooks(app, masterKeys);
      return findOpenDifferences(app, { books, now: wallClock.now(), signal }, period);
    },
    count: (period) => countClose(openSources(app, options), period),
  };
}
