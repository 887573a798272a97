import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDERS = ['apps/worker/src', 'libs/projection-engine/src'];

/** The Lua acts that compare the token of a lease: their hashes by their names, without the number of keys. */
export function readFencedScripts(): ReadonlyMap<string, string> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.lua'))
      .map((file) => path.join(folder, file)),
  );
  const scripts = files.map((file) => [file, readFileSync(file, 'utf8')] as const);
  return new Map(
    scripts
      .filter(([, lua]) => lua.includes("'fenced'"))
      .map(([file, lua]) => [
        path.basename(file).replace(/-\w+\.lua$/, ''),
        createHash('sha1').update(lua).digest('hex'),
      ]),
  );
}
