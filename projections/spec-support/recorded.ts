import type { Fact, RecordedFact } from '#domain/fact';
import type { IndexEntry, Projection } from '../projection.js';

/** What a projection makes of a stream. */
export function projected<State>(projection: Projection<State>, facts: readonly Fact[]): State {
  return recorded(`${projection.category}-id`, facts).reduce(
    (state, fact) => projection.project(state, fact),
    projection.initialState,
  );
}

/** The lists in which the document is found, in one line each. */
export function listed<State>(projection: Projection<State>, facts: readonly Fact[]): string[] {
  const line = ({ index, member, score }: IndexEntry) =>
    `${index.join('/')} ${member}${score === 0 ? '' : ` ${score}`}`;
  return projection.indexes('id', projected(projection, facts)).map(line);
}

/** Facts as they come back from a stream, one position apart. */
function recorded(streamName: string, facts: readonly Fact[]): RecordedFact[] {
  return facts.map((fact, revision) => ({
    ...fact,
    id: `fact-${revision}`,
    streamName,
    revision,
    position: String(revision + 1).padStart(20, '0'),
    metadata: {
      $correlationId: 'request-1',
      actor: 'app',
      appId: 'app_1',
      environment: 'test',
      schemaVersion: 1,
      occurredAt: '2026-01-31T10:00:00.000Z',
    },
  }));
}
