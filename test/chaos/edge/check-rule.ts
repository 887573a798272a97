import { groupBy } from '#platform';
import { exchange, type WireAnswer } from './exchange.js';
import { inParallel } from './in-parallel.js';
import type { Operation } from './operations.js';
import type { Rule, RuleCase } from './rule.js';
import { buildSample } from './samples.js';
import type { Scene } from './scene.js';
import { judgeAnswer } from './verdict.js';

/** How a rule was kept. */
export interface RuleOutcome {
  readonly cases: number;
  /** Each case that was answered otherwise than the rule says, with its answer. */
  readonly broken: readonly string[];
}

/**
 * Holds every operation to a rule. @throws Error when a connection breaks without an answer.
 * @param valuesAtPlace how many bad values each field gets: all of them have their turn, at one field or another.
 */
export async function checkRule(
  rule: Rule,
  operations: readonly Operation[],
  scene: Scene,
  baseUrl: string,
  valuesAtPlace = Number.MAX_SAFE_INTEGER,
): Promise<RuleOutcome> {
  const all = operations.flatMap((operation) => {
    let n = 0;
    const sample = () => buildSample(operation, scene, `${scene.tag}-${operation.id}-${(n += 1)}`);
    return [...rule.casesFor(operation, sample)];
  });
  const tried = takeTurns(all, valuesAtPlace);
  const broken: string[] = [];
  await inParallel(tried, async (one) => {
    const answer = await exchange(baseUrl, one.wire);
    for (const complaint of judgeCase(one, answer)) {
      const excerpt = answer.bytes.subarray(0, 300).toString('utf8');
      broken.push(`${one.operation.id}, ${one.what}: ${complaint}: ${excerpt}`);
    }
  });
  return { cases: tried.length, broken };
}

/** Of the cases of each place so many, of the next place those that follow in the row: each value has its turn. */
function takeTurns(all: readonly RuleCase[], valuesAtPlace: number): readonly RuleCase[] {
  const places = [...groupBy(all, ({ operation, place }) => `${operation.id} ${place}`).values()];
  const most = Math.max(...places.map(({ length }) => length));
  const share = Math.max(valuesAtPlace, Math.ceil(most / places.length));
  let turn = 0;
  return places.flatMap((cases) => {
    if (cases[0]?.place === undefined || cases.length <= share) return cases;
    const start = turn % cases.length;
    turn += share;
    return [...cases, ...cases].slice(start, start + share);
  });
}

function judgeCase(one: RuleCase, answer: WireAnswer): readonly string[] {
  const { method } = one.wire;
  const complaints = [...judgeAnswer({ method, isPage: one.operation.isPage }, answer)];
  if (!one.statuses.includes(answer.status)) {
    complaints.push(`${answer.status} instead of ${one.statuses.join(' or ')}`);
  } else if (one.fields.length > 0) {
    const named = fieldsIn(answer);
    const wanted = one.fields.map((field) => field.toLowerCase());
    if (!named.some((field) => isWithin(field.toLowerCase(), wanted))) {
      complaints.push(`names ${named.join() || 'nothing'} instead of ${one.fields.join(' or ')}`);
    }
  }
  return complaints;
}

/** An error deep within a field is named with its whole path. */
function isWithin(field: string, wanted: readonly string[]): boolean {
  return wanted.some((one) => field === one || field.startsWith(`${one}.`));
}

/** The names of bad fields in a refusal, of which the verdict has seen that it has its form. */
function fieldsIn({ bytes }: WireAnswer): readonly string[] {
  const { details = [] } = JSON.parse(bytes.toString('utf8')) as {
    details?: readonly { fieldViolations?: readonly { field: string }[] }[];
  };
  return details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field));
}
