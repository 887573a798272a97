import type { Position, RecordedEvent } from '#domain/event';
import { assertDefect } from '#platform';

/** What was begun for an event and is not settled: a delivery to one endpoint, or a job of a process. */
export interface Unsettled {
  readonly position: Position;
  /** An endpoint's id, or `PROCESS`. */
  readonly target: string;
  readonly streamName: string;
  readonly revision: number;
}

/** In place of an endpoint: the charge or refund that a process asked for. */
export const PROCESS = 'process';

/** As a member of the sorted set: the position first, so that members stand in the store's order. */
export function unsettledMember(event: RecordedEvent, target: string): string {
  return `${event.position} ${target} ${event.streamName} ${event.revision}`;
}

/** The reverse of `unsettledMember`. */
export function parseUnsettled(member: string): Unsettled {
  const [position, target, streamName, revision, rest] = member.split(' ');
  assertDefect(
    position !== undefined && target !== undefined && streamName !== undefined,
    `not an unsettled member: ${member}`,
  );
  assertDefect(revision !== undefined && rest === undefined, `not an unsettled member: ${member}`);
  return { position, target, streamName, revision: Number(revision) };
}
