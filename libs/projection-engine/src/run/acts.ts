import {
  findGenerations,
  type Generations,
  projectionAggregate,
  type ProjectionCommand,
} from '#domain/projection';
import {
  type CommandExecutor,
  createCommandExecutor,
  type LiveAggregates,
  type LedgerStore,
  openLiveAggregates,
} from '#event-store';
import { type Log, newUuid, wallClock } from '#platform';

interface ActsOptions {
  readonly store: LedgerStore;
  /** The names of the projections. */
  readonly projections: readonly string[];
  /** Ends the following. */
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Called after each change. */
  readonly onChange: () => void;
}

/** The acts on read models, in memory and followed (rules/read-models 3). */
export class ReadModelActs {
  private constructor(
    private readonly commands: CommandExecutor,
    private readonly live: LiveAggregates,
  ) {}

  /** Resolves when all acts so far are known. @throws Fault of the store. */
  static async follow({ projections, onChange, ...place }: ActsOptions): Promise<ReadModelActs> {
    const commands = createCommandExecutor(place.store);
    const live = await openLiveAggregates({
      ...place,
      commands,
      aggregates: [projectionAggregate],
    });
    live.onChange(onChange);
    await Promise.all(projections.map((name) => live.get(projectionAggregate, name)));
    return new ReadModelActs(commands, live);
  }

  /** The generations that the acts ask for; undefined where this release cannot read one of the acts. */
  async find(projection: string, readModel: string): Promise<Generations | undefined> {
    const { state, isFrozen } = await this.live.get(projectionAggregate, projection);
    return isFrozen ? undefined : findGenerations(state, readModel);
  }

  /** Whether there was any act on this read model. @throws as `find`. */
  async hasAny(projection: string, readModel: string): Promise<boolean> {
    const { state } = await this.live.get(projectionAggregate, projection);
    return Object.hasOwn(state, readModel);
  }

  /** Decides an act of a projector: one with which another projector was faster changes nothing. @throws Fault. */
  async decide(projection: string, command: ProjectionCommand): Promise<void> {
    await this.commands.execute(projectionAggregate, projection, command, {
      appId: '',
      environment: 'production',
      actor: 'process:projector',
      correlationId: newUuid(),
      now: wallClock.now(),
    });
    await this.live.refresh(projectionAggregate, projection);
  }
}
