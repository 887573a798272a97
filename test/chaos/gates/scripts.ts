import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDERS = [
  'apps/worker/src/billing-clock/lua',
  'apps/worker/src/redis/lua',
  'libs/projection-engine/src/lua',
];

/** The Lua acts that compare the token of a lease: their hashes by their names, without the number of keys. */
export function readFencedScripts(): ReadonlyMap<string, string> {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder).map((file) => path.join(folder, file)),
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
