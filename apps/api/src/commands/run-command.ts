import { Inject } from '@nestjs/common';
import { Command, CommandHandler as HandlesCommand, type ICommandHandler } from '@nestjs/cqrs';
import type { Aggregate, AnyRejection } from '#domain/decider';
import type { DomainEvent } from '#domain/event';
import type { Accepted, CommandExecutor, CommandOptions, CommandContext } from '#event-store';
import { COMMAND_EXECUTOR, rejected, type RejectionCode } from '#nest';

type Rejection = AnyRejection & { readonly code: RejectionCode };

/**
 * A command on its way to the one command executor (rules/events 3). `what` names
 * the object in errors; the other options are the handler's.
 */
export class RunCommand<
  State,
  DomainCommand,
  Event extends DomainEvent,
  R extends Rejection,
> extends Command<Accepted<State, Event>> {
  constructor(
    readonly aggregate: Aggregate<State, DomainCommand, Event, R>,
    readonly id: string,
    readonly command: DomainCommand,
    readonly context: CommandContext,
    readonly options: CommandOptions<State> & { readonly what: string },
  ) {
    super();
  }
}

type AnyRunCommand = RunCommand<unknown, unknown, DomainEvent, Rejection>;

/** @throws ApiError for every rejection, from the one table. */
@HandlesCommand(RunCommand)
export class RunCommandHandler implements ICommandHandler<AnyRunCommand> {
  constructor(@Inject(COMMAND_EXECUTOR) private readonly commands: CommandExecutor) {}

  async execute(run: AnyRunCommand): Promise<Accepted<unknown, DomainEvent>> {
    const { aggregate, id, command, context, options } = run;
    const result = await this.commands.execute(aggregate, id, command, context, options);
    if (!result.accepted) throw rejected(result.rejection, options.what);
    return result;
  }
}
