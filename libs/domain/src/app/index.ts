export type { WantedCatalog } from './app-catalog.js';
export { GATEWAY_KINDS, type GatewayKind, type WantedGateway } from './app-gateway.js';
export {
  appAggregate,
  type AppCommand,
  type AppRejection,
  dunningViolations,
} from './app.decide.js';
export {
  type AppCreated,
  type AppEvent,
  type Brand,
  type CatalogSettings,
  LOST_DISPUTE_POLICIES,
  type LostDisputePolicy,
  type TokenIssuer,
} from './app.events.js';
export { type App, type CreatedApp, DEFAULT_SEGMENT, evolveApp, noApp } from './app.state.js';
