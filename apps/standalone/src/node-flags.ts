/**
 * Flags of Node for a program of ours. Nearly all that an API under load makes is garbage at once, and what is
 * not is copied each time that garbage is collected: so that happens half as often as with V8's own limit, and
 * from the start, where V8 would grow and shrink that space with the load (docs/performance.md, "Reads").
 */
export function listNodeFlags(program: string): readonly string[] {
  return program === 'api' ? ['--min-semi-space-size=32', '--max-semi-space-size=32'] : [];
}
