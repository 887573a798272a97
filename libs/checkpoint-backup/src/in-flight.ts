import type { Position, RecordedEvent } from '#domain/event';

/** What was begun for an event and has not ended: a delivery to one endpoint, or a job of a process. */
export interface InFlight {
  /** As a member of the work in flight: what `inFlightMember` writes. */
  readonly member: string;
  readonly position: Position;
  /** An endpoint's id, or `PROCESS`. */
  readonly target: string;
  readonly streamName: string;
  readonly revision: number;
  /** Which of the event's messages a delivery is of; undefined for a job of a process. */
  readonly messageId: string | undefined;
}

const PARTS_OF_PROCESS = 4;

/** In place of an endpoint: the charge or refund that a process asked for. */
export const PROCESS = 'process';

/**
 * As a member of the sorted set: the position first, so that members stand in the store's order, and messages of
 * one event to one endpoint in theirs.
 *
 * @param index which of the event's messages it is, from 0.
 */
export function inFlightMember(
  { position, streamName, revision }: RecordedEvent,
  target: string,
  messageId?: string,
  index = 0,
): string {
  const member = `${position} ${target} ${streamName} ${revision}`;
  return messageId === undefined ? member : `${member} ${index} ${messageId}`;
}

/** The reverse of `inFlightMember`; undefined for what another release may have written there. */
export function readInFlight(member: string): InFlight | undefined {
  const parts = member.split(' ');
  const [position, target, streamName, revision] = parts;
  if (position === undefined || target === undefined || streamName === undefined) return undefined;
  if (!/^\d+$/.test(revision ?? '')) return undefined;
  // Releases before decision 0122 wrote the message's id without its place among those of the event.
  const [messageId, index = '0', extra] = parts.slice(PARTS_OF_PROCESS).reverse();
  if (!/^\d+$/.test(index) || extra !== undefined) return undefined;
  return { member, position, target, streamName, revision: Number(revision), messageId };
}
