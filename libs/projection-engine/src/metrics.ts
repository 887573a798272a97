import { Counter, Gauge } from 'prom-client';

/** API and worker load this library and feed no projection: `runProjector` shows these. */
const registers: [] = [];

const head = { writtenAtMs: NaN };

/** The newest event of the event store was written then; NaN where none is known. */
export function noteHead(writtenAtMs: number): void {
  head.writtenAtMs = writtenAtMs;
}

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
  rebuildEvents: new Gauge({
    name: 'subledger_rebuild_events',
    help: 'Events applied to a generation that is built (done), and to the one that answers in its place (target)',
    labelNames: ['read_model', 'count'] as const,
    registers,
  }),
  oldestUnapplied: new Gauge({
    name: 'subledger_projection_oldest_unapplied_seconds',
    help: 'Age of the oldest event of the event store that the generation which answers does not have; 0 for none',
    labelNames: ['read_model'] as const,
    registers,
  }),
  headAge: new Gauge({
    name: 'subledger_projection_head_age_seconds',
    help: 'Age of the newest event of the event store that the projector has seen',
    registers,
    // It grows also while the store does not answer.
    collect() {
      if (Number.isNaN(head.writtenAtMs)) this.remove();
      else this.set(Math.max(0, Date.now() - head.writtenAtMs) / 1_000);
    },
  }),
  generations: new Gauge({
    name: 'subledger_projection_generations',
    help: 'Generations of read models by state, shown by the projector that holds the first partition',
    labelNames: ['read_model', 'state'] as const,
    registers,
  }),
  parked: new Gauge({
    name: 'subledger_projector_parked_streams',
    help: 'Streams with an event that could not be applied; they are not up to date',
    registers,
  }),
};
