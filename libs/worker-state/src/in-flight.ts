import type { Position, RecordedEvent } from '#domain/event';

/** Work that was begun for an event and has not ended: a delivery to one endpoint, or a job of a process. */
export interface InFlight {
  /** As a member of the work in flight, by `inFlightMember` or `resendMember`. */
  readonly member: string;
  /** Of the event by which it began: the message's own, or the one that asks for it again. */
  readonly position: Position;
  /** An endpoint's id, or `PROCESS`. */
  readonly target: string;
  /** With the revision, the event that it follows from. */
  readonly streamName: string;
  readonly revision: number;
  /** Which of the event's messages a delivery is of; undefined for a job of a process. */
  readonly messageId: string | undefined;
  /** Of a message that is sent again: the revision of the event of its endpoint that asks for it (decision 0031). */
  readonly askedAtRevision?: number;
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
  { position, streamName, revision }: Pick<RecordedEvent, 'position' | 'streamName' | 'revision'>,
  target: string,
  messageId?: string,
  index = 0,
): string {
  const member = `${position} ${target} ${streamName} ${revision}`;
  return messageId === undefined ? member : `${member} ${index} ${messageId}`;
}

/**
 * A message that is sent again: it has the position of the event that asks for it, so that each resend is a delivery of
 * its own, and names that event behind the message's own.
 *
 * @param index which of those that the event names it is, from 0.
 */
export function resendMember(
  asked: Pick<RecordedEvent, 'position' | 'revision'>,
  target: string,
  { streamName, revision, messageId }: ResentPlace,
  index: number,
): string {
  const place = { position: asked.position, streamName, revision };
  return `${inFlightMember(place, target, messageId, index)} ${asked.revision}`;
}

/** A message, and the event that it follows from. */
type ResentPlace = Pick<RecordedEvent, 'streamName' | 'revision'> & { readonly messageId: string };

/** The reverse of both; undefined for a member that another release may have written there. */
export function readInFlight(member: string): InFlight | undefined {
  const parts = member.split(' ');
  const [position, target, streamName, revision] = parts;
  if (position === undefined || target === undefined || streamName === undefined) return undefined;
  if (!isNumber(revision)) return undefined;
  const work = { member, position, target, streamName, revision: Number(revision) };
  const rest = parts.slice(PARTS_OF_PROCESS);
  if (rest.length === 0) return { ...work, messageId: undefined };
  const [index, messageId, askedAt, extra] = rest;
  if (!isNumber(index) || messageId === undefined || extra !== undefined) return undefined;
  if (askedAt === undefined) return { ...work, messageId };
  return isNumber(askedAt) ? { ...work, messageId, askedAtRevision: Number(askedAt) } : undefined;
}

/** Whether something began with an event up to a position. */
export function isUpTo(position: Position) {
  return ({ member }: Named) => member.slice(0, position.length) <= position;
}

/** The order of the store. */
export function byMember(left: Named, right: Named): number {
  return left.member < right.member ? -1 : 1;
}

type Named = Pick<InFlight, 'member'>;

function isNumber(text: string | undefined): text is string {
  return /^\d+$/.test(text ?? '');
}
