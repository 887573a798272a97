/**
 * Flags of Node for a program of ours. Nearly all that an API under load makes is garbage at once: with a
 * young generation of 32 MB it is collected less often than with V8's 16, and what lives longer is copied
 * less often (docs/performance.md, "Reads").
 */
export function listNodeFlags(program: string): readonly string[] {
  return program === 'api' ? ['--max-semi-space-size=32'] : [];
}
