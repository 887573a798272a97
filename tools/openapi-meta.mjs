/**
 * Writes apps/api/src/metadata.ts: what the OpenAPI document says of DTOs, taken from their types and
 * comments. The file is checked in; `--check` says whether it is current, and changes nothing.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { PluginMetadataGenerator } from '@nestjs/cli/lib/compiler/plugins/plugin-metadata-generator.js';
import { ReadonlyVisitor } from '@nestjs/swagger/plugin';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
const source = path.join(root, 'apps', 'api', 'src');
const file = path.join(source, 'metadata.ts');
const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
// The generator stops at any type error, and the file that it is to write is imported by others.
if (before === '') {
  const empty = "{ '@nestjs/swagger': { models: [] as [unknown, object][], controllers: [] } }";
  writeFileSync(file, `export default async () => (${empty});\n`);
}

const log = console.log;
console.log = () => undefined;
new PluginMetadataGenerator().generate({
  outputDir: source,
  watch: false,
  tsconfigPath: 'tools/tsconfig.openapi.json',
  visitors: [
    new ReadonlyVisitor({
      introspectComments: true,
      classValidatorShim: true,
      pathToSource: source,
      esmCompatible: true,
      dtoFileNameSuffix: ['.dto.ts'],
    }),
  ],
});
console.log = log;

if (process.argv.includes('--check')) {
  const isCurrent = readFileSync(file, 'utf8') === before;
  if (before === '') rmSync(file);
  else writeFileSync(file, before);
  if (!isCurrent) {
    console.error('apps/api/src/metadata.ts is not current: run "npm run openapi-meta".');
    process.exitCode = 1;
  }
}
