import type { WireRequest } from './exchange.js';
import { toWire } from './hostile-request.js';
import type { Operation } from './operations.js';
import type { Draft } from './samples.js';

/** A request that a rule refuses, and how. */
export interface RuleCase {
  readonly operation: Operation;
  readonly what: string;
  readonly wire: WireRequest;
  /** HTTP statuses, any of which will do. */
  readonly statuses: readonly number[];
  /** Names of which the answer's violations must hold one; any or none where there are none here. */
  readonly fields: readonly string[];
  /** The field that is bad, of a rule that puts many values into each; a case without one is always tried. */
  readonly place?: string;
}

/** A rule of all requests: it makes its cases from an operation's document. */
export interface Rule {
  readonly name: string;
  /** @param sample makes a new acceptable request of the operation. */
  casesFor(operation: Operation, sample: () => Draft): Iterable<RuleCase>;
}

/** The case of a changed sample. */
export function refused(
  draft: Draft,
  what: string,
  statuses: number | readonly number[],
  fields: readonly string[] = [],
): RuleCase {
  return {
    operation: draft.operation,
    what,
    wire: toWire(draft),
    statuses: [statuses].flat(),
    fields,
  };
}
