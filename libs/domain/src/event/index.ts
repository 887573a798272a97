/** An event before it is stored: an explicit, versioned type name and a JSON payload. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

/** The metadata of every stored event (rules/events 7). */
export interface EventMetadata {
  readonly $correlationId: string;
  readonly $causationId?: string;
  /** The author of the event: `player:<pseudonym>`, `app`, `operator:<name>` or `process:<name>`. */
  readonly actor: string;
  readonly appId: string;
  /** The pseudonym of the player to whom it belongs, where it belongs to one (rules/storage 6). */
  readonly player?: string;
  readonly environment: Environment;
  readonly commandId?: string;
  readonly commandHash?: string;
  /** An instant of the app's clock, which is the wall clock but for a test clock that was advanced. */
  readonly occurredAt: Instant;
}

export type Environment = 'test' | 'production';

/** An ISO 8601 instant in UTC with milliseconds, `2026-01-31T10:00:00.000Z`: sorts as text. */
export type Instant = string;

/**
 * A place in the store's total order, as 20 decimal digits: global positions exceed the range of numbers, and padded
 * text compares rightly everywhere (also in Lua).
 */
export type Position = string;

/** An event as it was read back: decoded, upcast to the newest version, with its place in the store. */
export interface RecordedEvent<Type extends string = string, Data = unknown> extends DomainEvent<
  Type,
  Data
> {
  readonly id: string;
  readonly streamName: string;
  readonly revision: number;
  readonly position: Position;
  readonly metadata: EventMetadata;
}

/**
 * A keyed command that changed nothing leaves this event, so that its retry after a later change
 * still gets the first answer (rules/api 13). It may stand in any stream and changes no state.
 */
export const COMMAND_RECORDED = 'command.recorded.v1';

/** The category of a stream name: the text before the first dash. */
export function categoryOf(streamName: string): string {
  const dash = streamName.indexOf('-');
  return dash === -1 ? streamName : streamName.slice(0, dash);
}

/** The id in a stream name: the text behind the first dash. */
export function idOf(streamName: string): string {
  const dash = streamName.indexOf('-');
  return dash === -1 ? '' : streamName.slice(dash + 1);
}
