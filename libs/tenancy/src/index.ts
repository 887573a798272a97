export { type AccessTokens, createAccessTokens, type PlayerIdentity } from './access-tokens.js';
export type { FetchKeys } from './issuer-keys.js';
export { parseIssuerKeys } from './parse-issuer-keys.js';
export { AUDIENCE, ISSUER, MAX_ACCESS_TOKEN_SECONDS } from './verify-token.js';
export {
  APP_AGGREGATES,
  APP_CATEGORIES,
  type AppDirectory,
  createAppDirectory,
} from './app-directory.js';
export { type ChallengeAddresses, createChallengeAddresses } from './challenge-addresses.js';
export { BoundedLookups } from './bounded-lookups.js';
export { type RunningEndpoint, toRunning, wantsMessage } from './running-endpoint.js';
export { appIdOfApiKey, type AppSecrets, createAppSecrets } from './app-secrets.js';
export {
  type IssueResult,
  issueOperatorToken,
  registersIn,
  revokeOperatorToken,
} from './operator-token-commands.js';
export {
  createOperatorTokens,
  DEFAULT_OPERATOR_TOKEN_SECONDS,
  isForAllApps,
  isForApp,
  type LoadRegister,
  MAX_OPERATOR_TOKEN_SECONDS,
  newOperatorToken,
  type OperatorIdentity,
  type OperatorTokens,
} from './operator-tokens.js';
export {
  beginsSealedStream,
  loadSealedStream,
  resealStream,
  SEALED_CATEGORIES,
  type SealedStream,
} from './reseal-secrets.js';
export {
  createShopTokens,
  SHOP_SESSION_LIFETIME,
  type ShopSessionReference,
  type ShopTokens,
} from './shop-tokens.js';
export {
  createPersonalData,
  type PersonalData,
  type PlayerAccess,
  showNothing,
} from './personal-data.js';
export { ERASED } from './opened-players.js';
