export { Breaker, type BreakerOptions, type BreakerState } from './breaker.js';
export { DEFAULT_NAMESPACE, isStreamNamespace, readConfig, variables } from './config.js';
export { type Clock, wallClock } from './clock.js';
export { forEachConcurrently, groupBy, settleAll } from './concurrency.js';
export { csvField } from './csv/csv-field.js';
export { CsvReader, type CsvRecord } from './csv/csv-reader.js';
export {
  assertDefect,
  Defect,
  EXIT_BAD_SETTING,
  Fault,
  type FaultCode,
  SettingRefused,
} from './fault.js';
export { deriveUuid, newAppId, newId, newUuid } from './ids.js';
export { createLogger, type Log, type LogLevel } from './logger.js';
export { collectProcessMetrics, metrics, showMetrics } from './metrics.js';
export {
  readParentTask,
  reportObstacles,
  reportProgress,
  reportToParent,
  stopWithNpm,
  stopWithParent,
} from './parent.js';
export { endWithReader } from './pipes.js';
export { warnSeldom } from './repeated-warning.js';
export {
  isRetryableFault,
  jitteredDelayMs,
  retry,
  sleep,
  sleepUnlessAborted,
  sleepUntilTick,
  untilAborted,
  withSignal,
  withTimeLimit,
} from './resilience.js';
export { SharedReads, upTo } from './shared-reads.js';
export {
  KEY_FILE_RECHECK_MS,
  fixedMasterKeys,
  type MasterKeys,
  masterKeysInFile,
  parseMasterKeys,
} from './master-keys.js';
export { createSeal, masterKeyId, type Seal, type SealedFor, sealingKeyId } from './seal.js';
export { decryptText, deriveKeyId, encryptText } from './sealed-text.js';
export { createShutdown, type Shutdown } from './shutdown.js';
export { syncDirectory } from './sync-directory.js';
export { EXIT_INTERRUPTED, onStopSignals } from './stop-signals.js';
export { parseRedisAddress, type RedisAddress } from './redis-address.js';
export {
  NO_PROXIES,
  parseAddress,
  parseTrustedProxies,
  type TrustedProxies,
} from './trusted-proxies.js';
export { releaseVersion } from './version.js';
