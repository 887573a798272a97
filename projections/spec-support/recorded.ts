import { fromMilliseconds } from '#domain/calendar';
import type { DomainEvent, RecordedEvent } from '#domain/event';
import { type IndexEntry, type Projection, readMemberId } from '#projection-engine/define';
import { eventAt } from '../../libs/domain/src/event/spec-support/recorded-event.js';

/** The state of a projection after a stream. */
export function projected<State>(
  projection: Projection<State>,
  events: readonly DomainEvent[],
): State {
  return recorded(`${projection.categories[0]}-id`, events).reduce(
    (state, event) => projection.project(state, event),
    projection.initialState,
  );
}

/** The lists in which the document is found, in one line each. */
export function listed<State>(
  projection: Projection<State>,
  events: readonly DomainEvent[],
): string[] {
  const line = ({ index, member, score }: IndexEntry) =>
    `${index.join('/')} ${score === 0 ? readCreation(member) : `${member} ${score}`}`;
  return projection.indexes('id', projected(projection, events), events.length - 1).map(line);
}

/** The time of creation and the id, by which lists without scores are ordered. */
function readCreation(member: string): string {
  const id = readMemberId(member);
  return `${fromMilliseconds(parseInt(member.slice(0, -id.length), 36))} ${id}`;
}

/** Events as they come back from a stream, one position apart. */
function recorded(streamName: string, events: readonly DomainEvent[]): RecordedEvent[] {
  const metadata = { occurredAt: '2026-01-31T10:00:00.000Z' };
  return events.map((event, revision) => eventAt(revision, { ...event, streamName, metadata }));
}
