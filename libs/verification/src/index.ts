export { compareEntries, compareStates, type FieldDifference, readScores } from './compare.js';
export { type FullOptions, verifyFull } from './full.js';
export type { CheckedPartition, VerificationOptions, VerificationProgress } from './options.js';
export type { ReadModelDifference, ReadModelDifferenceKind, VerificationReport } from './report.js';
export { type DrawnIds, drawIds, type SampleOptions, verifySample } from './sample.js';
