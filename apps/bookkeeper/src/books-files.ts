import { serveFileTask } from '#books';

/** A program that a bookkeeper starts for as long as DuckDB has work. */
void serveFileTask();
