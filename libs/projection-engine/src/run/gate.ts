import type { BuildingGeneration, Generations } from '#domain/projection';
import { type Log, wallClock, warnSeldom } from '#platform';
import { SLOW_TICK_MS } from '../limits.js';
import type { ReadModelPartition } from '../partition/read-model-partition.js';
import { nameProjection } from '../stored/generations.js';
import type { ReadModelActs } from './acts.js';
import { GateFindings, type GateFindingsParts } from './gate-findings.js';
import type { Placement } from './placement.js';

interface GateParts extends GateFindingsParts {
  readonly acts: ReadModelActs;
  readonly placement: Placement;
  readonly formerKeptMs: number;
  readonly log: Log;
}

/** GateFindings in one act: an operator reads the first of them, and `verify` shows all. */
const MOST_FINDINGS = 20;

/**
 * Looks at each generation that is built before it answers, once for all partitions: the holder of a read model's first
 * partition does (rules/read-models 4). Its word is an act, which all projectors follow.
 */
export class Gate {
  readonly #judgedAtMs = new Map<string, number>();

  constructor(private readonly parts: GateParts) {}

  /** Looks at the read models whose first partition is held, one after the other. Never throws. */
  async look(held: readonly ReadModelPartition[], signal: AbortSignal): Promise<void> {
    for (const partition of held) {
      if (partition.number !== 0 || signal.aborted) continue;
      await this.#lookAt(partition, signal).catch((error: unknown) => {
        if (!signal.aborted) warnSeldom(this.parts.log, error, 'the gate could not look');
      });
    }
  }

  async #lookAt(partition: ReadModelPartition, signal: AbortSignal): Promise<void> {
    const { name, projection } = partition;
    const acts = await this.parts.acts.find(nameProjection(name), name);
    const findings = new GateFindings(this.parts, projection, name, signal);
    if (partition.at('checkpoint') !== undefined) {
      await this.#noteAnswering(partition, acts, findings);
      await this.#checkAfterwards(partition, findings);
    }
    const building = acts?.building ?? undefined;
    if (building === undefined || !this.#isDue(partition, building)) return;
    this.#judgedAtMs.set(name, performance.now());
    await this.#judge(name, building, findings);
  }

  #isDue(
    partition: ReadModelPartition,
    { generation, gate, isPaused }: BuildingGeneration,
  ): boolean {
    const built = partition.at('building');
    if (built?.checkpoint.generation !== generation || isPaused) return false;
    if (!this.parts.placement.isCaughtUp(built) || gate?.kind === 'verified') return false;
    const judgedAtMs = this.#judgedAtMs.get(partition.name) ?? -Infinity;
    return gate === null || performance.now() - judgedAtMs >= SLOW_TICK_MS;
  }

  /** Nothing else answered, so the partitions have let a first generation answer: the acts say so, too. */
  async #noteAnswering(
    { name }: ReadModelPartition,
    acts: Generations | undefined,
    findings: GateFindings,
  ): Promise<void> {
    if (acts?.answering !== null || acts.building === null) return;
    const { generation } = acts.building;
    if (!(await findings.isEverywhere('checkpoint', generation))) return;
    const reason = 'nothing else answered';
    const note = { kind: 'NoteAnswering', readModel: name, generation, reason } as const;
    await this.parts.acts.decide(nameProjection(name), note);
  }

  /** Verifies a generation that answers without the gate's word. */
  async #checkAfterwards(partition: ReadModelPartition, look: GateFindings): Promise<void> {
    const { check, generation } = partition.at('checkpoint')?.checkpoint ?? {};
    const { name: readModel } = partition;
    if (check !== 'due' || !(await look.isEverywhere('checkpoint', generation))) return;
    const { findings } = await look.sample('checkpoint');
    const differs = findings.length > 0;
    if (differs)
      this.parts.log.error({ readModel, findings }, 'a read model differs from its events');
    this.parts.placement.noteChecked(readModel, differs ? 'differs' : 'passed');
  }

  async #judge(
    name: string,
    { generation }: BuildingGeneration,
    look: GateFindings,
  ): Promise<void> {
    const { acts, formerKeptMs, log } = this.parts;
    if (!(await look.isCaughtUp(generation))) return;
    const { checked, findings } = await look.findAll();
    const details = { readModel: name, generation, checked, findings };
    if (findings.length === 0) log.info(details, 'the gate found nothing against a generation');
    else log.error(details, 'the gate holds a generation: it does not answer');
    await acts.decide(nameProjection(name), {
      ...{ kind: 'JudgeGeneration', readModel: name, generation, checked },
      findings: findings.slice(0, MOST_FINDINGS),
      reason: 'the gate found nothing against it',
      ...{ now: wallClock.now(), formerKeptMs },
    });
  }
}
