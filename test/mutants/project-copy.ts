import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Mutant } from './mutant.js';

const ROOT = process.cwd();
/** The files that specs run on. The programs in `dist` are not changed: no mutant needs one. */
const COPIED = ['apps', 'libs', 'projections', 'test', 'package.json', 'vitest.config.mjs'];
const LINKED = ['node_modules', 'dist', 'tools', 'docs', 'README.md'];
const VITEST = ['node_modules/vitest/vitest.mjs', 'run'];
/** A mutant may make a spec wait for ever. */
const SPECS_LIMIT_MS = 240_000;
/** The shown part of a run's output. */
const LAST_WORDS = 4_000;

/** A copy of the project in which guards are taken out, so that a run that is cut off harms nothing. */
export class ProjectCopy {
  /** The text of a file before its change: the project itself may go on meanwhile. */
  readonly #originals = new Map<string, string>();

  private constructor(private readonly folder: string) {}

  static async create(): Promise<ProjectCopy> {
    const folder = await mkdtemp(path.join(tmpdir(), 'subledger-mutants-'));
    for (const name of COPIED) {
      await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
    }
    for (const name of LINKED) await symlink(path.join(ROOT, name), path.join(folder, name));
    return new ProjectCopy(folder);
  }

  /** Takes a guard out. @throws Error when it does not stand in its file, once. */
  async change({ name, file, guard, without }: Mutant): Promise<void> {
    const source = await readFile(path.join(this.folder, file), 'utf8');
    if (source.split(guard).length !== 2) {
      throw new Error(`${name}: the guard does not stand in ${file}, or not once`);
    }
    this.#originals.set(file, source);
    // A function, since `$` means something in a replacement.
    await writeFile(
      path.join(this.folder, file),
      source.replace(guard, () => without),
    );
  }

  async restore({ file }: Mutant): Promise<void> {
    await writeFile(path.join(this.folder, file), this.#originals.get(file) ?? '');
  }

  /** Runs specs. One that does not end in time is red. */
  async runSpecs(specs: readonly string[]): Promise<{ isGreen: boolean; output: string }> {
    const child = spawn(process.execPath, [...VITEST, ...specs], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: SPECS_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    let output = '';
    const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-LAST_WORDS));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const code = await new Promise((resolve) => child.once('close', resolve));
    return { isGreen: code === 0, output };
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
