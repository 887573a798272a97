export {
  type AccessTokens,
  createAccessTokens,
  MAX_ACCESS_TOKEN_SECONDS,
  type PlayerIdentity,
} from './access-tokens.js';
export { type AppDirectory, openAppDirectory, type RunningEndpoint } from './app-directory.js';
export { appIdOfApiKey, type AppSecrets, createAppSecrets } from './app-secrets.js';
export {
  createOperatorTokens,
  isForApp,
  OPERATOR_ROLES,
  type OperatorIdentity,
  type OperatorRole,
  type OperatorTokens,
} from './operator-tokens.js';
