import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDERS = ['apps', 'libs', 'projections', 'test', 'tools', 'docs', 'findings', '.ci'];
const FILES = /\.(?:ts|tsx|mjs|js|lua|sh|css|json|md|yml|csv)$|^\.ci\/run$/;
/** Files that are written by a tool or installed, and the list of the old words itself. */
const LEFT_OUT = /\/node_modules\/|\/generated\/|^apps\/\w+\/src\/metadata\.ts$|^test\/tidy\//;

/** A file of the repository that people write: its path from the root, and its text. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

/** Everything that is written by hand: sources, tests, tools, documents, golden files. */
export function readSources(): SourceFile[] {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      path.join(folder, name),
    ),
  );
  const atRoot = readdirSync(ROOT).filter((name) => /\.(?:md|mjs)$/.test(name));
  return [...below, ...atRoot]
    .filter((file) => FILES.test(file) && !LEFT_OUT.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));
}

/** A place in a file: its line begins with one. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly found: string;
}

/** Everything that a global pattern finds in the paths and the texts of files. */
export function findAll(sources: readonly SourceFile[], pattern: RegExp): Place[] {
  return sources.flatMap(({ file, text }) => [
    ...[...file.matchAll(pattern)].map(([found]) => ({ file, line: 0, found })),
    ...[...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      file,
      line: text.slice(0, index).split('\n').length,
      found,
    })),
  ]);
}

/** Places as an editor opens them, one a line. */
export function listed(places: readonly Place[]): string[] {
  return places.map(({ file, line, found }) => `${file}:${line} ${found}`);
}
