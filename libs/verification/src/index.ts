export {
  canonicalJson,
  compareEntries,
  compareStates,
  type FieldDifference,
  readScores,
} from './compare.js';
