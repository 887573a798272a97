/** `npm run dev`: builds and starts the standalone, and does both again after each save of a source. */
import path from 'node:path';
import process from 'node:process';
import { onStop } from './process.mjs';
import { rerunOnSave } from './rerun.mjs';

const root = path.resolve(import.meta.dirname, '..');
const stop = await rerunOnSave({
  folders: ['apps', 'libs', 'projections'].map((folder) => path.join(root, folder)),
  build: [path.join(root, 'tools', 'build.mjs')],
  start: ['--enable-source-maps', path.join(root, 'dist', 'programs', 'standalone.js')],
});
onStop(async () => {
  await stop();
  process.exit(0);
});
