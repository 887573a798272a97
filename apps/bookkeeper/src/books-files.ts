import process from 'node:process';
import { serveFileTask } from '#books';

const USAGE = `usage: books-files [--help]

A bookkeeper starts this program for as long as DuckDB has work, and gives it the work on the standard input. Start the
bookkeeper with BOOKS_DIR instead.
`;

const isTyped = process.argv.length > 2 || process.stdin.isTTY;
if (isTyped) process.stdout.write(USAGE);
else void serveFileTask();
