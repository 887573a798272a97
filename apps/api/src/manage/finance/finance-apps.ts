import { Inject, Injectable } from '@nestjs/common';
import type { CommandExecutor, LedgerStore } from '#event-store';
import type { FinanceApp } from '#finance';
import {
  COMMAND_EXECUTOR,
  type CommandContext,
  CommandContexts,
  type CommandSource,
  EVENT_STORE,
} from '#nest';

/** Opens apps for work on their books. */
@Injectable()
export class FinanceApps {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(EVENT_STORE) private readonly store: LedgerStore,
    @Inject(COMMAND_EXECUTOR) private readonly commands: CommandExecutor,
  ) {}

  /** @param source of the request. @throws ApiError where there is no such app; Fault. */
  async open(appId: string, source: CommandSource): Promise<FinanceApp> {
    return this.with(await this.contexts.withoutIdempotency(source, appId));
  }

  /** The app of a command. */
  with(context: CommandContext): FinanceApp {
    const { store, commands } = this;
    return { appId: context.appId, store, commands, context };
  }
}
