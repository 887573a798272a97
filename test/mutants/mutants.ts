import { BILLING_MUTANTS } from './billing.js';
import { CATALOG_MUTANTS } from './catalog.js';
import { CHECKPOINT_BACKUP_MUTANTS } from './checkpoint-backup.js';
import { CURRENCY_CHANGE_MUTANTS } from './currency-changes.js';
import { DELIVERY_LOG_MUTANTS } from './delivery-log.js';
import { DISPUTE_MUTANTS } from './disputes.js';
import { DUE_DATE_MUTANTS } from './due-dates.js';
import { EDGE_MUTANTS } from './edges.js';
import { EGRESS_MUTANTS } from './egress.js';
import { ENDPOINT_STATE_MUTANTS } from './endpoint-state.js';
import { EVENT_STORE_MUTANTS } from './event-store.js';
import { GATEWAY_MUTANTS } from './gateway.js';
import { LAGGING_ENDPOINT_MUTANTS } from './lagging-endpoints.js';
import { LIVE_AGGREGATE_MUTANTS } from './live-aggregates.js';
import { FAILOVER_MUTANTS } from './failover.js';
import { FAIRNESS_MUTANTS } from './fairness.js';
import type { Mutant } from './mutant.js';
import { PERSONAL_DATA_MUTANTS } from './personal-data.js';
import { PLAN_BOUND_MUTANTS } from './plan-bounds.js';
import { PLAN_CHANGE_MUTANTS } from './plan-changes.js';
import { READ_MODEL_MUTANTS } from './read-models.js';
import { SCAVENGE_MUTANTS } from './scavenges.js';
import { STORE_COPY_MUTANTS } from './store-copy.js';
import { TENANT_MUTANTS } from './tenants.js';
import { WEBHOOK_ENDPOINT_MUTANTS } from './webhook-endpoints.js';
import { WORKER_FENCE_MUTANTS } from './worker-fences.js';
import { WORKER_MUTANTS } from './worker.js';

/** Guards of fences, recovery and order. Each of them is a promise of docs/rules that is easily lost. */
export const MUTANTS: readonly Mutant[] = [
  ...READ_MODEL_MUTANTS,
  ...WORKER_MUTANTS,
  ...DUE_DATE_MUTANTS,
  ...WORKER_FENCE_MUTANTS,
  ...CHECKPOINT_BACKUP_MUTANTS,
  ...EDGE_MUTANTS,
  ...EGRESS_MUTANTS,
  ...EVENT_STORE_MUTANTS,
  ...LIVE_AGGREGATE_MUTANTS,
  ...SCAVENGE_MUTANTS,
  ...STORE_COPY_MUTANTS,
  ...FAILOVER_MUTANTS,
  ...PERSONAL_DATA_MUTANTS,
  ...FAIRNESS_MUTANTS,
  ...TENANT_MUTANTS,
  ...BILLING_MUTANTS,
  ...GATEWAY_MUTANTS,
  ...DISPUTE_MUTANTS,
  ...PLAN_CHANGE_MUTANTS,
  ...CURRENCY_CHANGE_MUTANTS,
  ...PLAN_BOUND_MUTANTS,
  ...WEBHOOK_ENDPOINT_MUTANTS,
  ...LAGGING_ENDPOINT_MUTANTS,
  ...DELIVERY_LOG_MUTANTS,
  ...ENDPOINT_STATE_MUTANTS,
  ...CATALOG_MUTANTS,
];
