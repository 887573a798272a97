import type { Position } from '#domain/fact';

/**
 * A stream whose fact could not be applied. Its document stays as it was, and its later facts are
 * held until a rebuild by a program that understands them (architecture, "Life of an event").
 */
export interface ParkedStream {
  readonly streamName: string;
  /** The fact that could not be applied. */
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
      `the read models cannot be rebuilt: fact ${revision} of ${streamName}, a ${type}: ${reason}. ` +
        'Start a release that knows this fact.',
    );
    this.name = 'RebuildStopped';
  }
}
