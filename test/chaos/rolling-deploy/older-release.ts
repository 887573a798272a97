import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

const ROOT = process.cwd();
const COPIED = [
  'apps',
  'libs',
  'projections',
  'tools',
  '.swcrc',
  'package.json',
  'package-lock.json',
];
const EVENT_TYPES = 'libs/domain/src/event-types/index.ts';
const PROJECTION = 'projections/payments.projection.ts';

/** The event that the newer release knows and writes, and the older one does not. */
const NEWER_EVENT = 'subscription.reactivated.v1';

/** The release before this one: it knows one event less, and a projection in the version before. */
export class OlderRelease {
  private constructor(private readonly folder: string) {}

  /** Copies the project, changes it, and builds its programs. */
  static async build(): Promise<OlderRelease> {
    const folder = await mkdtemp(path.join(tmpdir(), 'subledger-older-'));
    const release = new OlderRelease(folder);
    for (const name of COPIED) {
      await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
    }
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    await release.#change(EVENT_TYPES, matchRow(NEWER_EVENT), '');
    await release.#change(PROJECTION, /version: (\d+)/, (_, version: string) => {
      if (version === '1') throw new Error(`${PROJECTION} has no version before ${version}`);
      return `version: ${Number(version) - 1}`;
    });
    const build = spawn(process.execPath, [path.join('tools', 'build.mjs')], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(build, 'close')) as [number | null];
    if (code !== 0) throw new Error('the older release could not be built');
    return release;
  }

  /** The path of one of its programs. */
  program(name: string): string {
    return path.join(this.folder, 'dist', 'programs', `${name}.js`);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** @throws Error when the text to be replaced does not stand there. */
  async #change(
    file: string,
    text: string | RegExp,
    by: string | ((found: string, group: string) => string),
  ): Promise<void> {
    const source = await readFile(path.join(this.folder, file), 'utf8');
    const changed =
      typeof by === 'string' ? source.replace(text, () => by) : source.replace(text, by);
    if (changed === source) throw new Error(`${String(text)} does not stand in ${file}`);
    await writeFile(path.join(this.folder, file), changed);
  }
}

/** The line of a record that names an event. */
function matchRow(type: string): RegExp {
  return new RegExp(`^ *'${type.replaceAll('.', '\\.')}': .*\n`, 'm');
}
