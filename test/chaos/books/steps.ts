/** A moment in the writing of the books at which the bookkeeper is killed. */
export interface BooksStep {
  readonly name: string;
  readonly program: 'bookkeeper' | 'books-files';
  /** It is about to send this text, or to change a file: an act and a part of its path. */
  readonly text: string;
  readonly isAnswered?: true;
}

const WRITTEN = 'books.files_written.v1';

/** All steps from the staged rows to the files' list, in their order. Each writing has files of two months. */
export const BOOKS_STEPS: readonly BooksStep[] = [
  { name: 'is about to stage rows', program: 'bookkeeper', text: 'appendFile making-' },
  { name: 'has staged the rows of one month', program: 'bookkeeper', text: 'appendFile 2026-02' },
  { name: 'has a file beside its place', program: 'books-files', text: 'rename period=2026-01' },
  { name: 'has one file of two in place', program: 'books-files', text: 'rename period=2026-02' },
  { name: 'is about to append the files', program: 'bookkeeper', text: WRITTEN },
  { name: 'has appended the files', program: 'bookkeeper', text: WRITTEN, isAnswered: true },
  { name: 'is about to clear staged rows', program: 'bookkeeper', text: 'rm making-' },
  { name: 'is about to name the files', program: 'bookkeeper', text: 'rename files.json' },
];
