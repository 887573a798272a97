/** Steps that an expression may take on one name without a time limit: some milliseconds. */
const STEPS_AT_MOST = 1_000_000;
const ESCAPED_OR_CLASS = /\\.|\[(?:\\.|[^\]\\])*\]/gsu;
/** Repetition, and groups that look around: how often they try again depends on the name. */
const REPEATS_OR_LOOKS = /[*+{]|\?(?!:)|(?<!\()\?:/u;

/**
 * Whether an expression is quick on every name, however it is made. One that repeats nothing and begins
 * where the name does can be tried in as many ways as its alternatives can be combined.
 */
export function isQuick(source: string): boolean {
  const structure = source.replace(ESCAPED_OR_CLASS, 'x');
  if (!structure.startsWith('^') || REPEATS_OR_LOOKS.test(structure)) return false;
  return countWays(structure) * source.length <= STEPS_AT_MOST;
}

/** Alternatives add up, and successive parts multiply. */
function countWays(structure: string): number {
  const outer: { sum: number; product: number }[] = [];
  let group = { sum: 0, product: 1 };
  for (const character of structure) {
    if (character === '(') {
      outer.push(group);
      group = { sum: 0, product: 1 };
    } else if (character === '|') {
      group = { sum: group.sum + group.product, product: 1 };
    } else if (character === ')') {
      const ways = group.sum + group.product;
      const { sum, product } = outer.pop() ?? { sum: 0, product: 1 };
      group = { sum, product: product * ways };
    }
  }
  return group.sum + group.product;
}
