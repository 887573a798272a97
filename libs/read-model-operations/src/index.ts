export {
  type ActContext,
  type ActResult,
  decideOnReadModel,
  isReason,
  REASON_LENGTH,
  type ReadModelAct,
} from './decide.js';
export {
  type DescribedGeneration,
  type DescribedReadModel,
  describeReadModels,
  type ReadModelsReport,
} from './describe.js';
export type { ReadModelLedger } from './ledger.js';
export { estimateRebuild, type RebuildMemory } from './memory.js';
export {
  findReadModelNamed,
  type FoundReadModel,
  listNamedReadModels,
  type NamedReadModel,
} from './names.js';
export {
  type BuildLook,
  type BuildPace,
  lookAtBuild,
  measurePace,
  type PartitionProgress,
} from './progress.js';
export type { GenerationState } from './states.js';
