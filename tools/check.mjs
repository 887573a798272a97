/**
 * Everything that can be said about the code without running it, one line per question. All
 * questions are asked even when one is answered badly, so that one run shows every finding.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { PROGRAMS } from './openapi-programs.mjs';

const root = path.resolve(import.meta.dirname, '..');
const bin = (name) => path.join(root, 'node_modules', '.bin', name);
const documents = PROGRAMS.map(({ document }) => document);
/** Of tools that would report to their makers or look for newer releases of themselves. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const questions = [
  ['types', bin('tsc'), ['-p', 'tsconfig.json', '--noEmit']],
  ['lint', bin('eslint'), ['--max-warnings', '0', '.']],
  ['format', bin('prettier'), ['--check', '.', '--log-level', 'warn']],
  [
    'dependencies',
    bin('depcruise'),
    [
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type',
      'err',
      'apps',
      'libs',
      'projections',
      'test',
    ],
  ],
  ['unused code', bin('knip'), ['--no-progress']],
  [
    'API by spectral',
    bin('spectral'),
    ['lint', '--fail-severity', 'hint', '--quiet', ...documents],
  ],
  ['API by redocly', bin('redocly'), ['lint', '--max-problems', '20', ...documents]],
  ['API changes', process.execPath, ['tools/openapi-changes.mjs']],
  ['references', process.execPath, ['tools/check-references.mjs']],
  ['generated files', process.execPath, ['tools/check-generated.mjs']],
];

const width = Math.max(...questions.map(([name]) => name.length));
const queue = [...questions];
let failed = 0;
await Promise.all([worker(), worker()]);
process.exitCode = failed === 0 ? 0 : 1;

async function worker() {
  for (let next = queue.shift(); next; next = queue.shift()) await ask(...next);
}

async function ask(name, program, args) {
  const started = performance.now();
  const { status, output } = await run(program, args);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(width)} ${seconds.padStart(5)} s`);
  if (status !== 0) {
    failed += 1;
    console.log(output.trimEnd());
  }
}

function run(program, args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (status) => resolve({ status, output }));
    child.on('error', (error) => resolve({ status: 1, output: String(error) }));
  });
}
