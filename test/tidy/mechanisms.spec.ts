import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readSources } from './sources.js';

const PAGE = 'docs/mechanisms.md';
/** The page has every mechanism: more words than this are too many mechanisms. */
const MOST_WORDS = 2_200;

/** Caches, batches, breakers and queues are made with these; a file that makes one is on the page. */
const MAKES_MECHANISM =
  /(?<!`)\bnew (?:LRUCache|AggregateCache|DataLoader|Breaker|Queue|Worker)\b|(?<!function )\bkeepUpTo[<(]|\bpLimit\(/;

/**
 * Limits of the worker, and of all `limits.ts` files together. Each is one more thing to think of together with all
 * others, so these numbers only go down: the goal is 80 and 220.
 */
const MOST_LIMITS_OF_WORKER = 77;
const MOST_LIMITS = 219;

const page = readFileSync(path.resolve(import.meta.dirname, '../..', PAGE), 'utf8');
const sources = readSources();
const product = sources.filter(
  ({ file }) =>
    /^(?:apps|libs|projections)\/.*\.tsx?$/.test(file) && !/\.spec\.ts|\/spec-support\//.test(file),
);

it('names files that exist', () => {
  const files = new Set(sources.map(({ file }) => file));
  const named = [...page.matchAll(/`((?:apps|libs|projections)\/[^`]+)`/g)].map(([, file]) => file);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((file) => file === undefined || !files.has(file))).toEqual([]);
});

it('names each product file that makes a cache, a batch, a breaker or a queue', () => {
  const making = product.filter(({ text }) => MAKES_MECHANISM.test(text)).map(({ file }) => file);
  expect(making.length).toBeGreaterThan(30);
  expect(making.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
});

it(`has at most ${MOST_WORDS} words`, () => {
  const words = page.split(/\s+/).filter((word) => /\w/.test(word));
  expect(words.length).toBeLessThanOrEqual(MOST_WORDS);
});

it('keeps the number of limits', () => {
  const ofWorker = countLimits('apps/worker/');
  expect(ofWorker).toBeGreaterThan(0);
  expect(ofWorker).toBeLessThanOrEqual(MOST_LIMITS_OF_WORKER);
  expect(countLimits('')).toBeLessThanOrEqual(MOST_LIMITS);
});

/** The exported constants of the `limits.ts` files below a folder. */
function countLimits(below: string): number {
  const texts = product
    .filter(({ file }) => file.startsWith(below) && path.basename(file) === 'limits.ts')
    .map(({ text }) => text);
  return texts.flatMap((text) => [...text.matchAll(/^export const /gm)]).length;
}
