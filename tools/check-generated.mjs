/** Files that a tool generates are checked in; this says when one of them no longer matches its source. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';

// A build takes files that `openapi-meta.mjs` writes back for changed, so it is asked last.
const generators = ['openapi.mjs', 'generate-cldr.mjs', 'openapi-examples.mjs', 'openapi-meta.mjs'];

for (const generator of generators) {
  const { status } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, generator), '--check'],
    {
      stdio: 'inherit',
    },
  );
  if (status !== 0) process.exitCode = 1;
}
