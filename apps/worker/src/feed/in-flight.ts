import type { Position, RecordedEvent } from '#domain/event';
import { assertDefect } from '#platform';

/** What was begun for an event and is not settled: a delivery to one endpoint, or a job of a process. */
export interface Unsettled {
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
export function unsettledMember(
  { position, streamName, revision }: RecordedEvent,
  target: string,
  type?: string,
): string {
  const member = `${position} ${target} ${streamName} ${revision}`;
  return type === undefined ? member : `${member} ${type}`;
}

/** The reverse of `unsettledMember`. */
export function parseUnsettled(member: string): Unsettled {
  const [position, target, streamName, revision, type, rest] = member.split(' ');
  assertDefect(
    position !== undefined && target !== undefined && streamName !== undefined,
    `not an unsettled member: ${member}`,
  );
  assertDefect(revision !== undefined && rest === undefined, `not an unsettled member: ${member}`);
  return { position, target, streamName, revision: Number(revision), type };
}
