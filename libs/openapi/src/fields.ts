import { ApiProperty } from '@nestjs/swagger';

// The OpenAPI description of a field beyond its type and comment.

/** An RFC 3339 timestamp in UTC. */
export const Timestamp = (): PropertyDecorator =>
  ApiProperty({ type: String, format: 'date-time', example: '2026-01-31T10:00:00.000Z' });

/** A timestamp, or `""` where none is set (rules/api 9). */
export const TimestampOrEmpty = (): PropertyDecorator =>
  ApiProperty({ example: '2026-01-31T10:00:00.000Z' });

/** An int64 of minor units, carried as a string (rules/api 9). */
export const MinorUnits = (): PropertyDecorator =>
  ApiProperty({ format: 'int64', pattern: '^\\d+$', example: '999' });

/** One of these strings. */
export const OneOf = (values: readonly string[]): PropertyDecorator =>
  ApiProperty({ enum: [...values] });

/** A field of a request that has this value when it is omitted. */
export const Default = (value: unknown, bounds: { maximum?: number } = {}): PropertyDecorator =>
  ApiProperty({ required: false, default: value, ...bounds });
