import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { appProgram } from '../../../apps/standalone/src/programs.js';

const PROGRAMS = path.resolve('dist/programs');
const NAMES = readdirSync(PROGRAMS).flatMap(
  (file) => /^(?!run-bundle)(.*)\.cjs$/.exec(file)?.[1] ?? [],
);
const SUPERVISED = ['api', 'storefront', 'projector', 'worker'] as const;

const folder = mkdtempSync(path.join(tmpdir(), 'subledger-compiled-'));
afterAll(() => rmSync(folder, { recursive: true }));

function runNode(args: readonly string[]) {
  const options = { encoding: 'utf8', env: { PATH: process.env['PATH'] } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { status, stdout, stderr };
}

/** Whether V8 takes what was kept of a program, where Node is started with these flags. */
function isCompiled(name: string, flags: readonly string[], directory = PROGRAMS) {
  const module = pathToFileURL(path.join(directory, 'run-bundle.cjs')).href;
  const file = path.join(directory, `${name}.cjs`);
  const code = `import { loadBundle } from '${module}'; console.log(loadBundle('${file}').isCompiled)`;
  return runNode([...flags, '--input-type=module', '--eval', code]);
}

/** A copy of the standalone that knows no more than its own files. */
function copyStandalone(): string {
  const isOurs = (file: string) =>
    /^(standalone\.(js|cjs|cjs\..*\.v8)|run-bundle\.cjs|package\.json)$/.test(file);
  const files = readdirSync(PROGRAMS).filter(isOurs);
  for (const file of files) copyFileSync(path.join(PROGRAMS, file), path.join(folder, file));
  return path.join(folder, files.find((file) => file.endsWith('.v8')) ?? 'none');
}

/** How much was kept of a program for these flags. */
function sizeOfKept(name: string, flags: readonly string[]): number {
  const code = 'console.log(require("node:v8").cachedDataVersionTag().toString(16))';
  const tag = runNode([...flags, '--eval', code]).stdout.trim();
  return statSync(path.join(PROGRAMS, `${name}.cjs.${tag}.v8`)).size;
}

const change = (file: string, treat: (bytes: Buffer) => void) => {
  const bytes = readFileSync(file);
  treat(bytes);
  writeFileSync(file, bytes);
};

describe('a program that is built', () => {
  it.each(NAMES)('has its code compiled: %s', (name) => {
    expect(isCompiled(name, [])).toMatchObject({ stdout: 'true\n', stderr: '' });
  });

  it.each(SUPERVISED)('has it compiled also as the standalone starts it: %s', (name) => {
    const { args } = appProgram(name, { eventStoreUrl: '', redisUrl: '', logLevel: '' }, {}, '');
    const flags = args.slice(0, -1);
    expect(args.at(-1)).toMatch(new RegExp(`/${name}\\.js$`));
    expect(isCompiled(name, flags)).toMatchObject({ stdout: 'true\n', stderr: '' });
  });

  it('has more of it compiled than what its load alone compiles: it was at work', () => {
    // The standalone starts the API with flags of its own: without them it was loaded, and no more.
    const { args } = appProgram('api', { eventStoreUrl: '', redisUrl: '', logLevel: '' }, {}, '');
    const [loaded, atWork] = [sizeOfKept('api', []), sizeOfKept('api', args.slice(0, -1))];
    expect(atWork).toBeGreaterThan(1.15 * loaded);
  });

  it.each([
    ['with flags for which nothing was kept', ['--max-semi-space-size=7'], () => undefined],
    ['where what was kept is missing', [], (compiled: string) => rmSync(compiled)],
    [
      'where what was kept is damaged, over which V8 would crash',
      [],
      (compiled: string) => change(compiled, (bytes) => bytes.fill(0, bytes.length / 2)),
    ],
    [
      'where what was kept is of another text as long',
      [],
      (compiled: string) =>
        change(compiled.replace(/\.cjs\..*/, '.cjs'), (bytes) =>
          bytes.write('//', bytes.length - 2),
        ),
    ],
  ] as const)('starts all the same %s', (_, flags, act) => {
    act(copyStandalone());
    expect(isCompiled('standalone', flags, folder)).toMatchObject({ stdout: 'false\n' });
    const { status, stdout } = runNode([...flags, path.join(folder, 'standalone.js'), '--help']);
    expect([status, stdout.split(':')[0]]).toEqual([0, 'subledger, standalone']);
  });

  it('names lines of the sources where Node is to map them', () => {
    const flags = ['--enable-source-maps', '--stack-trace-limit=50'];
    const trace = "process.on('exit', () => console.log(new Error().stack));";
    const traced = `data:text/javascript,${encodeURIComponent(trace)}`;
    const { stdout } = runNode([...flags, '--import', traced, path.join(PROGRAMS, 'api.js')]);
    expect(stdout).toMatch(/apps\/api\/src\/main\.ts:\d+/);
  });
});
