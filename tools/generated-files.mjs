import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/**
 * Writes files that are made of others and checked in, where they differ. With `--check` among the arguments it
 * says which are not current, sets the exit code, and changes nothing.
 *
 * @param files pairs of a path from the root of the project, and its text.
 */
export function writeGenerated(files) {
  const root = path.resolve(import.meta.dirname, '..');
  const stale = files.filter(([file, text]) => read(path.join(root, file)) !== text);
  for (const [file, text] of stale) {
    if (process.argv.includes('--check')) {
      console.error(`${file} is not current: run "npm run openapi".`);
      process.exitCode = 1;
    } else {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
    }
  }
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
