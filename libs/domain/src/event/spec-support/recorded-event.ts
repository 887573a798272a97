import type { EventMetadata, RecordedEvent } from '../index.js';

type Given = Partial<Omit<RecordedEvent, 'metadata'>> & {
  readonly metadata?: Partial<EventMetadata>;
};

/** An event as it comes back from a stream, one position and one day behind the one before it unless it is given. */
export function eventAt(revision: number, { metadata, ...given }: Given = {}): RecordedEvent {
  return {
    id: `event-${revision}`,
    type: 'counter.counted.v1',
    data: {},
    streamName: 'counter-x',
    revision,
    position: String(revision + 1).padStart(20, '0'),
    metadata: {
      $correlationId: 'request-1',
      actor: 'app',
      appId: 'app_1',
      environment: 'test',
      occurredAt: `2027-01-${String(revision + 1).padStart(2, '0')}T10:00:00.000Z`,
      ...metadata,
    },
    ...given,
  };
}
