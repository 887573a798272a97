export type { ReadAnswer } from './read-answer.js';
export { collectEvents, readBatches } from './read-events.js';
export { nextAnswers, openRead, type ReadCall } from './next-answers.js';
