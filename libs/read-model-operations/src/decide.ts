import { hasLength, isPlainText } from '#domain/text';
import type { Instant } from '#domain/event';
import {
  findGenerations,
  type Generations,
  projectionAggregate,
  type ProjectionCommand,
  type ProjectionEvent,
  type ProjectionRejection,
} from '#domain/projection';
import type { CommandContext, ExecutorRejection } from '#event-store';
import { newUuid } from '#platform';
import { findOtherVersion } from '#projection-engine';
import { readActs, type ReadModelLedger } from './ledger.js';
import type { NamedReadModel } from './names.js';
import { findObstacle } from './obstacle.js';

/** An operator's act on a read model (rules/read-models 3). */
export type ReadModelAct =
  | { readonly kind: 'rebuild'; readonly hold: boolean; readonly maxPerSecond: number | null }
  | { readonly kind: 'swap'; readonly anyway: boolean }
  | { readonly kind: 'rollback' }
  | { readonly kind: 'drop'; readonly generation: number }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' };

/** The circumstances of an act. */
export interface ActContext extends Pick<CommandContext, 'actor' | 'commandId' | 'commandHash'> {
  readonly reason: string;
  readonly now: Instant;
  /** How long a generation that gives way is kept. */
  readonly formerKeptMs: number;
  /** A new one, unless given. */
  readonly correlationId?: string;
}

/** The outcome of an act. */
export type ActResult =
  | {
      readonly accepted: true;
      /** As the acts ask for them now. */
      readonly generations: Generations;
      /** None where the act held already. */
      readonly events: readonly ProjectionEvent[];
    }
  | { readonly accepted: false; readonly rejection: ProjectionRejection | ExecutorRejection };

/** Characters of a reason: a sentence or two, which the events keep. */
export const REASON_LENGTH = 500;

/** Whether a text can be the reason of an act: lines for a person to read. */
export function isReason(text: string): boolean {
  return hasLength(text, 1, REASON_LENGTH) && isPlainText(text) && text.trim() !== '';
}

/**
 * Decides an act on a read model of this release, by one append at the expected revision; projectors follow it.
 *
 * @throws Fault of the store or of Redis.
 */
export async function decideOnReadModel(
  ledger: ReadModelLedger,
  { readModel, projection }: Pick<NamedReadModel, 'readModel' | 'projection'>,
  act: ReadModelAct,
  context: ActContext,
): Promise<ActResult> {
  const command = await toCommand(ledger, readModel, projection, act, context);
  if ('rejection' in command) return { accepted: false, rejection: command.rejection };
  const {
    reason: _reason,
    formerKeptMs: _kept,
    correlationId = newUuid(),
    ...circumstances
  } = context;
  const result = await ledger.commands.execute(projectionAggregate, projection, command, {
    ...{ appId: '', environment: 'production' },
    ...circumstances,
    correlationId,
  });
  if (!result.accepted) return result;
  const { state, events } = result;
  return { accepted: true, generations: findGenerations(state, readModel), events };
}

async function toCommand(
  ledger: ReadModelLedger,
  readModel: string,
  projection: string,
  act: ReadModelAct,
  { reason, now, formerKeptMs }: ActContext,
): Promise<ProjectionCommand | { readonly rejection: ProjectionRejection }> {
  const reasoned = { readModel, reason };
  switch (act.kind) {
    case 'rebuild': {
      const { hold, maxPerSecond } = act;
      return { kind: 'RequestRebuild', ...reasoned, hold, maxPerSecond };
    }
    case 'swap':
      return { kind: 'SwapGeneration', ...reasoned, now, formerKeptMs, anyway: act.anyway };
    case 'rollback': {
      const acts = (await readActs(ledger, projection))?.(readModel);
      const isKept = (acts?.former?.until ?? '') > now;
      const { redis, identity } = ledger;
      const version = isKept ? undefined : await findOtherVersion(redis, identity, readModel);
      if (version !== undefined) return { rejection: refuseVersion(version.name) };
      const obstacle = acts && isKept ? await findObstacle(ledger, readModel, acts) : undefined;
      return { kind: 'RollBackGeneration', ...reasoned, now, formerKeptMs, obstacle };
    }
    case 'drop':
      return { kind: 'DropGeneration', ...reasoned, generation: act.generation };
    case 'pause':
      return { kind: 'PauseRebuild', ...reasoned };
    case 'resume':
      return { kind: 'ResumeRebuild', ...reasoned };
  }
}

function refuseVersion(version: string): ProjectionRejection {
  const detail = `${version} is of another version, which this release cannot read: start its release to go back`;
  return { code: 'projection/former_cannot_answer', detail };
}
