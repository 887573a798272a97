import type { Projection } from './projection.js';

/** Names stand in keys, between colons and before dots. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Sees that projections can live beside each other: a name says which keys are whose.
 *
 * @throws Error with a line for each contradiction.
 */
export function checkProjections(projections: readonly Projection<unknown>[]): void {
  const problems = projections.flatMap((projection, at) => [
    ...findProblems(projection),
    ...(projections.findIndex(({ name }) => name === projection.name) < at
      ? [`two projections are named ${projection.name}, and would write the same keys`]
      : []),
  ]);
  if (problems.length > 0) throw new Error(`projections: ${problems.join('\n')}`);
}

function findProblems(projection: Projection<unknown>): string[] {
  const { name, version, orderedSince, categories, documents } = projection;
  const problems: string[] = [];
  if (!NAME.test(name)) problems.push(`${name} is no name: small letters, digits and dashes`);
  if (!Number.isInteger(version) || version < 1) problems.push(`${name} has no version`);
  if (orderedSince !== undefined && !isVersionUpTo(version, orderedSince)) {
    problems.push(`${name} has lists whose order is of no version up to its own`);
  }
  if (categories.length === 0) problems.push(`${name} reads no category`);
  if (documents.of === 'stream' && categories.length > 1 && documents.idsDiffer !== true) {
    problems.push(`${name} has a document for a stream, and ids of its categories may meet`);
  }
  // A projection in TypeScript does not compile without it; others may be built in other ways.
  if (documents.of === 'key' && typeof documents.merge !== 'function') {
    problems.push(`${name} has keys that span partitions, and does not say how parts are merged`);
  }
  return problems;
}

function isVersionUpTo(latest: number, version: number): boolean {
  return Number.isInteger(version) && version >= 1 && version <= latest;
}
