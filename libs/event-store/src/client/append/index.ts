export { Appends } from './appends.js';
export { BatchAppender } from './batch-appender.js';
