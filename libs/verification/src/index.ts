export { compareEntries, compareStates, type FieldDifference, readScores } from './compare.js';
export { type FullOptions, verifyFull } from './full.js';
export type { VerificationOptions, VerificationProgress } from './options.js';
export { checkForGate, describeDifference } from './for-gate.js';
export type { ReadModelDifference, ReadModelDifferenceKind, VerificationReport } from './report.js';
export { type DrawnIds, drawIds, type SampleOptions, verifySample } from './sample.js';
