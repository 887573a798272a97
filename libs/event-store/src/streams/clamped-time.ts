/** Time does not run backwards in a stream (rules/events 3), though the clocks of machines differ. */
import type { Instant } from '#domain/event';

/**
 * A command or its context, at `earliest` where its `now` is before that. A command without a `now` is given back as it
 * is.
 *
 * @param earliest when the last event of the stream occurred; empty for a stream without events.
 */
export function clampTime<Timed>(timed: Timed, earliest: Instant): Timed {
  return hasTime(timed) && timed.now < earliest ? { ...timed, now: earliest } : timed;
}

function hasTime(value: unknown): value is { readonly now: Instant } {
  return (
    typeof value === 'object' && value !== null && 'now' in value && typeof value.now === 'string'
  );
}
