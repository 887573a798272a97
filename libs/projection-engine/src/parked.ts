import type { Position } from '#domain/event';

/**
 * A stream whose event could not be applied. Its document stays as it was, and its later events are
 * held until a rebuild by a program that understands them (architecture, "Life of an event").
 */
export interface ParkedStream {
  readonly streamName: string;
  /** The event that could not be applied. */
  readonly revision: number;
  readonly position: Position;
  readonly type: string;
  readonly reason: string;
}

/** Half a history must not be shown as the whole: a rebuild stops at what it cannot apply. */
export class RebuildStopped extends Error {
  constructor(readonly parked: ParkedStream) {
    const { revision, streamName, type, reason } = parked;
    super(
      `the read models cannot be rebuilt: event ${revision} of ${streamName}, a ${type}: ${reason}. ` +
        'Start a release that knows this event.',
    );
    this.name = 'RebuildStopped';
  }
}
