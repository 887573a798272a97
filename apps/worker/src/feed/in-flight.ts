import type { Position, RecordedEvent } from '#domain/event';
import { assertDefect } from '#platform';

/** What was begun for an event and has not ended: a delivery to one endpoint, or a job of a process. */
export interface InFlight {
  readonly position: Position;
  /** An endpoint's id, or `PROCESS`. */
  readonly target: string;
  readonly streamName: string;
  readonly revision: number;
  /** Which of the event's messages a delivery is of; undefined for a job of a process. */
  readonly type: string | undefined;
}

/** In place of an endpoint: the charge or refund that a process asked for. */
export const PROCESS = 'process';

/** As a member of the sorted set: the position first, so that members stand in the store's order. */
export function inFlightMember(
  { position, streamName, revision }: RecordedEvent,
  target: string,
  type?: string,
): string {
  const member = `${position} ${target} ${streamName} ${revision}`;
  return type === undefined ? member : `${member} ${type}`;
}

/** The reverse of `inFlightMember`. */
export function parseInFlight(member: string): InFlight {
  const [position, target, streamName, revision, type, extra] = member.split(' ');
  assertDefect(
    position !== undefined && target !== undefined && streamName !== undefined,
    `not a member of the work in flight: ${member}`,
  );
  assertDefect(
    revision !== undefined && extra === undefined,
    `not a member of the work in flight: ${member}`,
  );
  return { position, target, streamName, revision: Number(revision), type };
}
