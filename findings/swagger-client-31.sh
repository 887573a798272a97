#!/usr/bin/env bash
# Behaviour: swagger-client, which Swagger UI resolves operations with, reads all of an OpenAPI 3.1 document for each
#   part that is opened: one operation of a document with 200 takes more than ten times as long as the same operation
#   of a 3.0 document, and more than four times as long as in a 3.1 document that has this operation alone.
# Guess before the run: a part is resolved by itself in both versions, as `resolveSubtree` says.
# Why it matters here: the page at /docs took seconds for each operation. It resolves parts by itself now
#   (apps/api/src/openapi/docs-page.ts).
# Version and source: swagger-client 3.38.1, Node 20.20; found while /docs was measured.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit --ignore-scripts --save-exact swagger-client@3.38.1
cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import SwaggerClient from 'swagger-client';

const { version } = JSON.parse(readFileSync('node_modules/swagger-client/package.json', 'utf8'));

/** A document whose operations have a schema each. */
function makeDocument(openapi, operations) {
  const numbers = Array.from({ length: operations }, (_, number) => number);
  const properties = { id: { type: 'string' }, count: { type: 'integer' } };
  const answer = (number) => {
    const schema = { $ref: `#/components/schemas/S${number}` };
    return { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  };
  return {
    ...{ openapi, info: { title: 'Many', version: '1' } },
    paths: Object.fromEntries(numbers.map((n) => [`/p${n}`, { get: { responses: answer(n) } }])),
    components: {
      schemas: Object.fromEntries(numbers.map((n) => [`S${n}`, { type: 'object', properties }])),
    },
  };
}

/** Milliseconds for one operation, the shortest of three, after one that is not counted. */
async function time(openapi, operations) {
  const taken = [];
  for (let run = 0; run < 4; run += 1) {
    const document = makeDocument(openapi, operations);
    const startedAt = performance.now();
    const { errors } = await SwaggerClient.resolveSubtree(document, ['paths', '/p0', 'get']);
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
    taken.push(performance.now() - startedAt);
  }
  return Math.min(...taken.slice(1));
}

const [small, large] = [await time('3.1.0', 1), await time('3.1.0', 200)];
const former = await time('3.0.3', 200);
const ms = (value) => `${value.toFixed(1)} ms`;
console.log(`swagger-client ${version}`);
console.log(`one operation: 3.1 with 1 ${ms(small)}, with 200 ${ms(large)}; 3.0 with 200 ${ms(former)}`);
if (large < 4 * small || large < 10 * former) {
  console.error('The behaviour has changed.');
  process.exitCode = 1;
}
JS
node run.mjs
