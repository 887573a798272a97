import { Gauge } from 'prom-client';
import { metrics } from '#platform';
import type { BooksFigures } from '#books';
import type { SealingFigures } from '#sealing';

const registers = [metrics];
let shown: SealingFigures = { leaves: 0, checkpointSize: 0, checkpointAtMs: 0 };
let books: Pick<BooksFigures, 'size' | 'rows' | 'files'> = { size: 0, rows: 0, files: 0 };

/** The bookkeeper that seals shows these figures; one that stands by shows zeros. */
export function showFigures(figures: SealingFigures): void {
  shown = figures;
}

/** So does the one that keeps the books. */
export function showBooks(figures: typeof books): void {
  books = figures;
}

const gauges: readonly (readonly [name: string, help: string, read: () => number])[] = [
  ['subledger_seal_leaves', 'Events that have a leaf.', () => shown.leaves],
  ['subledger_seal_checkpoint_size', 'Leaves in the last checkpoint.', () => shown.checkpointSize],
  [
    'subledger_seal_checkpoint_age_seconds',
    'How long ago the last checkpoint was made, while events wait for the next one; 0 while none does.',
    () => (shown.leaves > shown.checkpointSize ? (Date.now() - shown.checkpointAtMs) / 1_000 : 0),
  ],
  ['subledger_books_leaves', 'Leaves whose entries are in files of the books.', () => books.size],
  ['subledger_books_rows', 'Entries in files of the books.', () => books.rows],
  ['subledger_books_files', 'Files of the books.', () => books.files],
];

for (const [name, help, read] of gauges) {
  new Gauge({
    ...{ name, help, registers },
    collect() {
      this.set(read());
    },
  });
}
