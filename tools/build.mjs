/**
 * Compiles the sources into dist and makes one file of each program, unless dist is current. It uses
 * Node's standard library alone, since `tools/setup.mjs` loads it before anything is installed.
 *
 * `npm run build` runs it; `npm start` and the other scripts do by way of `tools/setup.mjs`.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname, '..');
const stamp = path.join(root, 'dist', '.built');
const sourceFolders = ['apps', 'libs', 'projections', 'test'];
/** Other files that the result depends on. */
const alsoRead = [
  '.swcrc',
  'package.json',
  'package-lock.json',
  'tools/build.mjs',
  'tools/bundle.mjs',
];

if (process.argv[1] === import.meta.filename) {
  try {
    if (!build()) say('dist is current: there is nothing to build');
  } catch (error) {
    console.error(`\nsubledger: ${error.message}`);
    process.exitCode = 1;
  }
}

/**
 * Builds the programs that are not current.
 *
 * @returns whether there was anything to build.
 * @throws Error whose message names the remedy; the compiler's own messages are on stderr by then.
 */
export function build() {
  const sources = sourceFolders.flatMap((folder) => filesBelow(path.join(root, folder)));
  const wanted = fingerprint([...sources, ...alsoRead.map((file) => path.join(root, file))]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return false;
  const startedAt = performance.now();
  rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  say(`compiling ${sources.length} files ...`);
  const swc = path.join(root, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
  const folders = sourceFolders.filter((folder) => existsSync(path.join(root, folder)));
  run(
    [
      swc,
      ...folders,
      '-d',
      'dist',
      '-q',
      '--extensions',
      '.ts,.tsx',
      '--copy-files',
      '--ignore',
      '**/*.spec.ts',
    ],
    'The build failed; the message above says where. Mend it and run the command again.',
  );
  say('bundling the programs ...');
  run(
    [path.join('tools', 'bundle.mjs')],
    'The programs could not be bundled; the message above says why. Mend it and run the command again.',
  );
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
  const seconds = (performance.now() - startedAt) / 1000;
  say(`built in ${seconds.toFixed(1)} s; the programs are in dist/programs`);
  return true;
}

function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function run(args, advice) {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(advice);
}

/** On stderr: the output of the program that is started afterwards belongs to its reader. */
function say(text) {
  console.error(`subledger: ${text}`);
}
