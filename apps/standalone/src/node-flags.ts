/**
 * Flags of Node for a program of ours. Nearly all that an API under load makes is garbage at once: with
 * semi-spaces of 32 MB it is collected half as often as with V8's 16 (docs/performance.md, "Reads").
 */
export function listNodeFlags(program: string): readonly string[] {
  return program === 'api' ? ['--max-semi-space-size=32'] : [];
}
