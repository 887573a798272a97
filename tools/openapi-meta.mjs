/**
 * Writes metadata.ts of each program: the DTOs in its OpenAPI document, by their types and comments. The files are
 * checked in; `--check` says whether they are current, and changes nothing.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { PluginMetadataGenerator } from '@nestjs/cli/lib/compiler/plugins/plugin-metadata-generator.js';
import { ReadonlyVisitor } from '@nestjs/swagger/plugin';
import { PROGRAMS } from './openapi-programs.mjs';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
for (const program of PROGRAMS) writeMetadata(program);

function writeMetadata({ sources, tsconfig }) {
  const file = path.join(root, sources, 'metadata.ts');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // The generator stops at any type error, and the former file may name a file that is gone.
  const empty = "{ '@nestjs/swagger': { models: [] as [unknown, object][], controllers: [] } }";
  writeFileSync(file, `export default async () => (${empty});\n`);
  try {
    generate(path.join(root, sources), tsconfig);
  } catch (error) {
    writeFileSync(file, before);
    throw error;
  }
  if (process.argv.includes('--check')) putBack(file, before);
}

function generate(pathToSource, tsconfigPath) {
  const { log } = console;
  console.log = () => undefined;
  new PluginMetadataGenerator().generate({
    outputDir: pathToSource,
    watch: false,
    tsconfigPath,
    visitors: [
      new ReadonlyVisitor({
        introspectComments: true,
        classValidatorShim: true,
        pathToSource,
        esmCompatible: true,
        dtoFileNameSuffix: ['.dto.ts'],
      }),
    ],
  });
  console.log = log;
}

function putBack(file, before) {
  const isCurrent = readFileSync(file, 'utf8') === before;
  if (before === '') rmSync(file);
  else writeFileSync(file, before);
  if (isCurrent) return;
  console.error(`${path.relative(root, file)} is not current: run "npm run openapi-meta".`);
  process.exitCode = 1;
}
