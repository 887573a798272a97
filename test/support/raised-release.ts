import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const PROGRAMS = 'dist/programs';
const VERSION = /name:\s*"subscriptions",\s*version:\s*(\d+)/;
/** The condition with which the projection leaves a subscription out of its lists. */
const LISTED = 'if(subscription.status==="none")return[]';

/** The next release: its read model of subscriptions has another version. */
export interface RaisedRelease {
  /** The program that starts the standalone, and the command line. */
  readonly main: string;
  readonly commandLine: string;
  /** The read model of this release, and that of the next one, without their fingerprints. */
  readonly names: readonly [string, string];
  remove(): Promise<void>;
}

/** Copies the built programs, raises a version in all of them, and plants a fault in the projector: its lists are empty. */
export async function buildFaultyRelease(): Promise<RaisedRelease> {
  // Beside the programs: they find the files that they read from there.
  const folder = await mkdtemp(path.resolve('dist', 'raised-'));
  const isNeeded = (file: string) => !file.endsWith('.map');
  await cp(PROGRAMS, folder, { recursive: true, filter: isNeeded });
  let version = 0;
  for (const name of ['api', 'storefront', 'projector', 'worker', 'subledger']) {
    const file = path.join(folder, `${name}.cjs`);
    const text = await readFile(file, 'utf8');
    version = Number(VERSION.exec(text)?.[1]);
    const raised = text.replace(VERSION, `name:"subscriptions",version:${version + 1}`);
    const broken = name === 'projector' ? raised.replace(LISTED, 'return[]') : raised;
    if (!(version > 0) || (name === 'projector' && broken === raised)) {
      throw new Error(`${file} has no projection of subscriptions as it was`);
    }
    await writeFile(file, broken);
  }
  return {
    main: path.join(folder, 'standalone.js'),
    commandLine: path.join(folder, 'subledger.js'),
    names: [`subscriptions.${version}.`, `subscriptions.${version + 1}.`],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
