import { Counter, Gauge } from 'prom-client';

/** API and worker load this library and feed no projection: `runProjector` shows these. */
const registers: [] = [];

/** The metrics of a projector (Prometheus). */
export const projectorMetrics = {
  events: new Counter({
    name: 'subledger_projector_events_total',
    help: 'Events applied to read models',
    registers,
  }),
  batches: new Counter({
    name: 'subledger_projector_batches_total',
    help: 'Batches and checkpoints written',
    registers,
  }),
  fenced: new Counter({
    name: 'subledger_projector_fenced_total',
    help: 'Writes refused: a partition was taken over, cleared, or thrown back with Redis',
    registers,
  }),
  rebuilds: new Counter({
    name: 'subledger_projector_rebuilds_total',
    help: 'Builds of a read model in a partition begun',
    registers,
  }),
  builtShare: new Gauge({
    name: 'subledger_projector_built_ratio',
    help: 'How much of the log is in the read models that are being built; 1 when none are',
    registers,
  }),
  lagPositions: new Gauge({
    name: 'subledger_projector_lag_positions',
    help: 'From the read models to the head of the log: events (embedded) or bytes (EventStoreDB)',
    registers,
  }),
  lagSeconds: new Gauge({
    name: 'subledger_projector_lag_seconds',
    help: 'For how long the event store has had something that the read models have not',
    registers,
  }),
  parked: new Gauge({
    name: 'subledger_projector_parked_streams',
    help: 'Streams with an event that could not be applied; they are not up to date',
    registers,
  }),
};
