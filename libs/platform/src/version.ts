import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertDefect } from './fault.js';

/** The release that runs, as package.json has it. Built or not, that lies in a folder above. */
export function releaseVersion(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) {
    assertDefect(folder !== path.dirname(folder), 'a program without its package.json');
    folder = path.dirname(folder);
  }
  // Our own package.json, which npm has read before.
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
