import type { Aggregate } from '../decider/index.js';
import { type AppCommand, appDecider, type AppRejection } from './app.decide.js';
import type { AppEvent } from './app.events.js';
import type { App } from './app.state.js';

export type { WantedCatalog } from './app-catalog.js';
export { GATEWAY_KINDS, type GatewayKind, type WantedGateway } from './app-gateway.js';
export { type AppCommand, type AppRejection, dunningViolations } from './app.decide.js';
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

export const appAggregate: Aggregate<App, AppCommand, AppEvent, AppRejection> = {
  category: 'app',
  decider: appDecider,
};
