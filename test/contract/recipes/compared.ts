import type { DomainEvent, Environment, RecordedEvent } from '#domain/event';
import {
  type IndexEntry,
  type Projection,
  renderStream,
  type StreamRecipe,
} from '#projection-engine/define';
import { compareEntries, compareStates, readScores } from '#verification';

/** Histories of streams of a projection's categories, by the ids of their documents. */
export interface History {
  readonly id: string;
  readonly events: readonly RecordedEvent[];
}

/** The fields and entries in which a projection differs from its recipe, after any event of a history. */
export function differsAt(projection: Projection<unknown>, { id, events }: History): string[] {
  const { codec } = projection;
  const recipe = requireRecipe(projection);
  let state = projection.initialState;
  const differing = events.flatMap((event, revision) => {
    state = projection.project(state, event);
    const stored = toJson(codec?.pack(state, id) ?? [state]) as readonly unknown[];
    const found = codec === undefined ? stored[0] : codec.unpack(stored, id);
    const entries: readonly IndexEntry[] = projection.indexes(id, state, revision);
    const expected = renderStream(recipe, id, events.slice(0, revision + 1));
    return [
      ...compareStates(toJson(expected.state), found),
      ...compareEntries(readScores(expected.entries), readScores(entries)),
    ];
  });
  return [...new Set(differing.map(({ field }) => field))];
}

export function requireRecipe({ name, recipe }: Projection<unknown>): StreamRecipe {
  if (recipe?.of !== 'stream') throw new Error(`${name} has no recipe for its streams`);
  return recipe;
}

/** Events as the store gives them back. */
export function toHistory(
  events: readonly DomainEvent[],
  environment: Environment = 'test',
): History {
  const id = findOwnId(events);
  const metadata = {
    ...{ $correlationId: 'request-1', actor: 'app', appId: 'app_1', environment },
    occurredAt: '2027-02-01T10:00:00.000Z',
  };
  const recorded = events.map(({ type, data }, revision) => ({
    ...{ id: `event-${revision}`, type, data, metadata, revision },
    ...{ streamName: id, position: String(revision).padStart(20, '0') },
  }));
  return { id, events: recorded };
}

/** The id of the stream, as its first event has it that names one. */
function findOwnId(events: readonly DomainEvent[]): string {
  const own = events.flatMap(({ type, data }) => {
    const { [`${type.split('.')[0]}Id`]: id } = data as Readonly<Record<string, unknown>>;
    return typeof id === 'string' ? id : [];
  });
  return own[0] ?? 'id_1';
}

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
