import { Counter, Gauge, Histogram } from 'prom-client';
import { metrics } from '#platform';

const registers = [metrics];
const gauges: Gauge[] = [];

export const reactorLag = gauge(
  'subledger_worker_reactor_lag_seconds',
  'Age of the last event that was processed, when it was; 0 when there is nothing more.',
);
export const parkedStreams = gauge(
  'subledger_worker_parked_streams',
  'Streams that wait because an event of theirs cannot be processed.',
);
export const deliveries = counter(
  'subledger_webhook_attempts_total',
  'Attempts to deliver a webhook message, by outcome.',
  'outcome',
);
export const unloggedAttempts = counter(
  'subledger_webhook_attempts_unlogged_total',
  'Attempts that are not in the delivery log, since it could not be written or was too slow.',
  'reason',
);
export const attemptSeconds = new Histogram({
  name: 'subledger_webhook_attempt_seconds',
  help: 'How long attempts to deliver took, by the class that the endpoint was in and by outcome.',
  labelNames: ['class', 'outcome'] as const,
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
  registers,
});
export const breakers = gauge(
  'subledger_webhook_breakers',
  'Endpoints with deliveries in flight whose circuit breaker is open, or half open, as the partition knows it.',
  'class',
  'state',
);
export const webhookEndpoints = gauge(
  'subledger_webhook_endpoints',
  'Endpoints with deliveries in flight, by class.',
  'class',
);
export const webhooksInFlight = gauge(
  'subledger_webhook_deliveries_in_flight',
  'Deliveries that have begun and not ended, by the class of their endpoint.',
  'class',
);
export const oldestWebhook = gauge(
  'subledger_webhook_oldest_delivery_seconds',
  'How long ago the event was written that the oldest delivery in flight is of, by the class of its endpoint.',
  'class',
);
export const endpointsBehind = gauge(
  'subledger_webhook_endpoints_behind',
  'Backlogged endpoints: the store is read again for them when they have room.',
);
export const paymentJobs = counter(
  'subledger_payment_jobs_total',
  'Charges and refunds asked of the gateway, by outcome.',
  'kind',
  'outcome',
);
export const jobs = gauge('subledger_worker_jobs', 'Jobs in a queue, by state.', 'queue', 'state');
export const oldestWaiting = gauge(
  'subledger_worker_oldest_waiting_job_seconds',
  'How long the oldest job has waited: a delivery that could run; a charge or refund in memory, also for the share of its app.',
  'queue',
);
export const overdueAtGateway = gauge(
  'subledger_worker_overdue_at_gateway',
  'Charges and refunds that were to be looked at ten seconds ago, and were not.',
);
export const jobsWaiting = gauge(
  'subledger_worker_jobs_over_share',
  'Jobs that wait because their app or endpoint has its share of the concurrency slots.',
  'queue',
);
export const dueHandled = counter(
  'subledger_due_dates_total',
  'Due dates taken up, by who did it.',
  'by',
);
export const dueFailures = counter(
  'subledger_due_dates_failed_total',
  'Due dates that could not be processed; each is tried again, ever more seldom.',
);
export const pendingTooLong = gauge(
  'subledger_payments_pending_too_long',
  'Payments that have had no outcome for a week, at most a hundred for each partition.',
);
export const refundsOpenTooLong = gauge(
  'subledger_refunds_open_too_long',
  'Payments with a refund that was asked for a week ago and has not ended, at most a hundred a partition.',
);
export const reconciliationDifferences = gauge(
  'subledger_reconciliation_differences',
  "What the gateway's books and the ledger did not agree on when they were last compared.",
);
export const reconciledAt = gauge(
  'subledger_reconciliation_last_run_timestamp_seconds',
  "When the gateway's books were last compared with the ledger.",
);
export const dueHeldUp = gauge(
  'subledger_due_dates_held_up',
  'Due dates that failed and wait for their next attempt.',
);

/**
 * Figures that another process shows from now on must not be shown here. Those of held partitions are measured again
 * soon.
 */
export function forgetPartitions(): void {
  for (const gauge of gauges) gauge.reset();
}

/** A figure of each partition that this process holds. */
function gauge<Label extends string = never>(name: string, help: string, ...labels: Label[]) {
  const labelNames = ['partition' as const, ...labels];
  const made = new Gauge({ name, help, labelNames, registers });
  gauges.push(made);
  return made;
}

function counter<Label extends string = never>(name: string, help: string, ...labelNames: Label[]) {
  return new Counter({ name, help, labelNames, registers });
}
