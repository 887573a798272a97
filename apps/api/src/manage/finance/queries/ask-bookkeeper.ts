import { StreamableFile } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { BookkeeperTask } from '#finance';
import { CommandContexts, queryWith } from '#nest';
import { Bookkeeper } from '../bookkeeper.js';

/** A question about an app's books whose answer is JSON, by a bookkeeper (rules/finance 12). */
export class AskBookkeeper extends queryWith<
  { task: Exclude<BookkeeperTask, { kind: 'report' }>; gone: AbortSignal },
  StreamableFile
>() {}

@QueryHandler(AskBookkeeper)
export class AskBookkeeperHandler implements IQueryHandler<AskBookkeeper> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly bookkeeper: Bookkeeper,
  ) {}

  async execute({ task, gone }: AskBookkeeper): Promise<StreamableFile> {
    await this.contexts.requireApp(task.app);
    const type = 'application/json; charset=utf-8';
    return new StreamableFile(await this.bookkeeper.ask(task, gone), { type });
  }
}
