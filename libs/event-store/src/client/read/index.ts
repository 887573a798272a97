export type { ReadAnswer } from './read-answer.js';
export { collectEvents, nextAnswers, openRead, readBatches, type ReadCall } from './read-events.js';
