import { BODY_MUTATIONS, BYTES_MUTATIONS, encodeBody } from './body-mutations.js';
import type { WireRequest } from './exchange.js';
import { CREDENTIALS_MUTATIONS, HEADER_MUTATIONS } from './header-mutations.js';
import type { Mutation } from './mutation.js';
import type { Operation } from './operations.js';
import { Random } from './random.js';
import { type Draft, buildSample } from './samples.js';
import type { Scene } from './scene.js';
import { TARGET_MUTATIONS } from './target-mutations.js';

/** One request of a run, and the expectation of its answer. */
export interface HostileRequest {
  readonly index: number;
  readonly operation: Operation;
  readonly wire: WireRequest;
  /** The changes to an acceptable request; none, for one of ten. */
  readonly changes: readonly string[];
  /** Whether the one change that was made must be refused. */
  readonly isRefused: boolean;
}

/** A family is drawn first: there are many more ways to spoil a body than a header. */
const FAMILIES: readonly (readonly Mutation[])[] = [
  BODY_MUTATIONS,
  BODY_MUTATIONS,
  BYTES_MUTATIONS,
  TARGET_MUTATIONS,
  TARGET_MUTATIONS,
  HEADER_MUTATIONS,
  CREDENTIALS_MUTATIONS,
];

/** Of a hundred requests so many have 0, 1, 2 and 3 changes. */
const CHANGES_PER_HUNDRED = [10, 65, 17, 8] as const;

/** The request with an index: the same for the same seed, but for the ids of the scene. */
export function hostileRequest(
  operations: readonly Operation[],
  scene: Scene,
  seed: number,
  index: number,
): HostileRequest {
  const random = new Random(seed, index);
  const operation = random.pick(operations);
  const draft = buildSample(operation, scene, `${scene.tag}-${index}`);
  const wanted = countOfChanges(random);
  const made: { mutation: Mutation; description: string }[] = [];
  // Not every change fits every request: a GET has no body to spoil.
  for (let tries = 0; made.length < wanted && tries < 50; tries += 1) {
    const mutation = random.pick(random.pick(FAMILIES));
    const description = mutation.apply(draft, random, scene);
    if (description !== undefined) made.push({ mutation, description });
  }
  return {
    index,
    operation,
    wire: toWire(draft),
    changes: made.map(({ description }) => description),
    isRefused: made.length === 1 && made[0]?.mutation.isRefused === true,
  };
}

/** The request of a draft: credentials are made over the bytes that are sent. */
export function toWire(draft: Draft): WireRequest {
  const body = encodeBody(draft);
  const query = draft.query.map(([name, value]) => `${name}=${value}`).join('&');
  const isFramed = draft.headers.some(([name]) => name === 'content-length');
  const hasBody = draft.body !== undefined;
  // A request that could have a body says that it has none.
  const isSized = hasBody || !['GET', 'HEAD', 'DELETE'].includes(draft.method);
  return {
    method: draft.method,
    target: query === '' ? draft.path : `${draft.path}?${query}`,
    headers: [
      ...draft.credentials(body),
      ...draft.headers,
      ...(isSized && !isFramed ? [['content-length', String(body.length)] as const] : []),
    ],
    ...(hasBody && { body }),
  };
}

function countOfChanges(random: Random): number {
  let left = random.below(100);
  for (const [count, share] of CHANGES_PER_HUNDRED.entries()) {
    if (left < share) return count;
    left -= share;
  }
  return 1;
}
