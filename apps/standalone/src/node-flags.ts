/**
 * Nearly all that a program makes which answers requests under load is garbage at once, and the rest is copied each
 * time that garbage is collected: so that happens half as often as with V8's own limit, and from the start, where V8
 * would grow and shrink that space with the load (docs/performance.md).
 */
const YOUNG_SPACE = ['--min-semi-space-size=32', '--max-semi-space-size=32'];
/** A request passes through many small functions, of which V8 by itself joins fewer (the same place). */
const INLINING = [
  '--max-inlined-bytecode-size=1000',
  '--max-inlined-bytecode-size-cumulative=2500',
];

/** They answer requests, each of which leaves garbage alone. */
const ANSWERING = new Set(['api', 'storefront']);
/**
 * A batch of a rebuild is alive until Redis has it, and would be copied twice in V8's own young space. At rest that
 * space stays small.
 */
const YOUNG_SPACE_IN_NEED = ['--max-semi-space-size=32'];

/** Flags of Node for a program of ours. */
export function listNodeFlags(program: string): readonly string[] {
  if (program === 'projector') return YOUNG_SPACE_IN_NEED;
  return ANSWERING.has(program) ? [...YOUNG_SPACE, ...INLINING] : [];
}
