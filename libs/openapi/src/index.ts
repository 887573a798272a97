/**
 * Decorators of controllers and DTOs for the OpenAPI document of their program, beyond their types and comments.
 * `#openapi/document` makes the document.
 */
export { type AnswerHeader, AnswersWith } from './answer-headers.js';
export { Refuses } from './refuses.js';
export { Default, MinorUnits, OneOf, Timestamp, TimestampOrEmpty } from './fields.js';
