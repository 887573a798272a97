import { Counter, Gauge, Histogram } from 'prom-client';
import { metrics } from '#platform';

const registers = [metrics];

export const reactorLag = new Gauge({
  name: 'subledger_worker_reactor_lag_seconds',
  help: 'Age of the last event that was processed, when it was; 0 when there is nothing more.',
  labelNames: ['partition'] as const,
  registers,
});
export const parkedStreams = new Gauge({
  name: 'subledger_worker_parked_streams',
  help: 'Streams that wait because an event of theirs cannot be processed.',
  labelNames: ['partition'] as const,
  registers,
});
export const deliveries = new Counter({
  name: 'subledger_webhook_attempts_total',
  help: 'Attempts to deliver a webhook message, by outcome.',
  labelNames: ['outcome'] as const,
  registers,
});
export const unloggedAttempts = new Counter({
  name: 'subledger_webhook_attempts_unlogged_total',
  help: 'Attempts that are not in the delivery log, since it could not be written or was too slow.',
  labelNames: ['reason'] as const,
  registers,
});
export const attemptSeconds = new Histogram({
  name: 'subledger_webhook_attempt_seconds',
  help: 'How long attempts to deliver took, by the class that the endpoint was in and by outcome.',
  labelNames: ['class', 'outcome'] as const,
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15],
  registers,
});
export const breakers = new Gauge({
  name: 'subledger_webhook_breakers',
  help: 'Endpoints with deliveries in flight whose circuit breaker is open, or half open, as the partition knows it.',
  labelNames: ['partition', 'class', 'state'] as const,
  registers,
});
export const webhookEndpoints = new Gauge({
  name: 'subledger_webhook_endpoints',
  help: 'Endpoints with deliveries in flight, by class.',
  labelNames: ['partition', 'class'] as const,
  registers,
});
export const webhooksInFlight = new Gauge({
  name: 'subledger_webhook_deliveries_in_flight',
  help: 'Deliveries that have begun and not ended, by the class of their endpoint.',
  labelNames: ['partition', 'class'] as const,
  registers,
});
export const oldestWebhook = new Gauge({
  name: 'subledger_webhook_oldest_delivery_seconds',
  help: 'How long ago the event was written that the oldest delivery in flight is of, by the class of its endpoint.',
  labelNames: ['partition', 'class'] as const,
  registers,
});
export const endpointsBehind = new Gauge({
  name: 'subledger_webhook_endpoints_behind',
  help: 'Backlogged endpoints: the store is read again for them when they have room.',
  labelNames: ['partition'] as const,
  registers,
});
export const paymentJobs = new Counter({
  name: 'subledger_payment_jobs_total',
  help: 'Charges and refunds asked of the gateway, by outcome.',
  labelNames: ['kind', 'outcome'] as const,
  registers,
});
export const jobs = new Gauge({
  name: 'subledger_worker_jobs',
  help: 'Jobs in a queue, by state.',
  labelNames: ['partition', 'queue', 'state'] as const,
  registers,
});
export const oldestWaiting = new Gauge({
  name: 'subledger_worker_oldest_waiting_job_seconds',
  help: 'How long the oldest job has waited: a delivery that could run; a charge or refund in memory, also for the share of its app.',
  labelNames: ['partition', 'queue'] as const,
  registers,
});
export const overdueAtGateway = new Gauge({
  name: 'subledger_worker_overdue_at_gateway',
  help: 'Charges and refunds that were to be looked at ten seconds ago, and were not.',
  labelNames: ['partition'] as const,
  registers,
});
export const jobsWaiting = new Gauge({
  name: 'subledger_worker_jobs_over_share',
  help: 'Jobs that wait because their app or endpoint has its share of the concurrency slots.',
  labelNames: ['partition', 'queue'] as const,
  registers,
});
export const dueHandled = new Counter({
  name: 'subledger_due_dates_total',
  help: 'Due dates taken up, by who did it.',
  labelNames: ['by'] as const,
  registers,
});
export const dueFailures = new Counter({
  name: 'subledger_due_dates_failed_total',
  help: 'Due dates that could not be processed; each is tried again, ever more seldom.',
  registers,
});
export const pendingTooLong = new Gauge({
  name: 'subledger_payments_pending_too_long',
  help: 'Payments that have had no outcome for a week, at most a hundred for each partition.',
  labelNames: ['partition'] as const,
  registers,
});
export const refundsOpenTooLong = new Gauge({
  name: 'subledger_refunds_open_too_long',
  help: 'Payments with a refund that was asked for a week ago and has not ended, at most a hundred a partition.',
  labelNames: ['partition'] as const,
  registers,
});
export const reconciliationDifferences = new Gauge({
  name: 'subledger_reconciliation_differences',
  help: "What the gateway's books and the ledger did not agree on when they were last compared.",
  labelNames: ['partition'] as const,
  registers,
});
export const reconciledAt = new Gauge({
  name: 'subledger_reconciliation_last_run_timestamp_seconds',
  help: "When the gateway's books were last compared with the ledger.",
  labelNames: ['partition'] as const,
  registers,
});
export const dueHeldUp = new Gauge({
  name: 'subledger_due_dates_held_up',
  help: 'Due dates that failed and wait for their next attempt.',
  labelNames: ['partition'] as const,
  registers,
});

/**
 * Figures that another process shows from now on must not be shown here. Those of held partitions are measured again
 * soon.
 */
export function forgetPartitions(): void {
  for (const gauge of [
    ...[reactorLag, parkedStreams, jobs, oldestWaiting, overdueAtGateway, dueHeldUp, jobsWaiting],
    ...[reconciliationDifferences, reconciledAt, pendingTooLong, refundsOpenTooLong],
    ...[webhookEndpoints, webhooksInFlight, oldestWebhook, endpointsBehind, breakers],
  ]) {
    gauge.reset();
  }
}
