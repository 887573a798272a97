import { Inject, Injectable } from '@nestjs/common';
import type { CommandExecutor, LedgerStore, NamespaceIdentity } from '#event-store';
import { COMMAND_EXECUTOR, EVENT_STORE } from '#nest';
import { ApiError } from '#nest/errors';
import { projections } from '#projections';
import {
  findReadModelNamed,
  type NamedReadModel,
  type ReadModelLedger,
} from '#read-model-operations';
import type { Redis } from '#redis';
import { LEDGER_IDENTITY, REDIS } from '../../tokens.js';

/** The ledger whose read models operators look at and act on. */
@Injectable()
export class LedgerOfReadModels implements ReadModelLedger {
  readonly projections = projections;

  constructor(
    @Inject(EVENT_STORE) readonly store: LedgerStore,
    @Inject(COMMAND_EXECUTOR) readonly commands: CommandExecutor,
    @Inject(REDIS) readonly redis: Redis,
    @Inject(LEDGER_IDENTITY) readonly identity: NamespaceIdentity,
  ) {}

  /** @throws ApiError 5 with the names that there are. */
  async requireNamed(name: string): Promise<NamedReadModel> {
    const found = await findReadModelNamed(this, name);
    if (found.kind === 'found') return found.named;
    throw readModelNotFound(found.sentence);
  }

  /** One of this release, whose projectors follow acts on it. @throws ApiError 5; 9 for one of another release. */
  async requireOwn(name: string): Promise<NamedReadModel & Own> {
    const named = await this.requireNamed(name);
    const { ofThisRelease } = named;
    if (ofThisRelease !== undefined) return { ...named, ofThisRelease };
    throw new ApiError('FAILED_PRECONDITION', {
      reason: 'OTHER_RELEASE',
      message: `${named.readModel} is of another release, which alone can read and change it.`,
    });
  }
}

/** @param message names those that there are. */
export function readModelNotFound(message: string): ApiError {
  return new ApiError('NOT_FOUND', { reason: 'READ_MODEL_NOT_FOUND', message });
}

type Own = { readonly ofThisRelease: NonNullable<NamedReadModel['ofThisRelease']> };
