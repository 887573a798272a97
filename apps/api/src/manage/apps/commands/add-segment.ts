import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { appAggregate } from '#domain/app';
import { answer, type CommandContext } from '#nest';
import { FollowedLedger } from '../../followed-ledger.js';
import type { SegmentDto } from '../app.dto.js';

/** Adds a segment to an app: plan codes are unique within one (rules/api 17). */
export class AddSegment extends Command<SegmentDto> {
  constructor(
    readonly segment: SegmentDto,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(AddSegment)
export class AddSegmentHandler implements ICommandHandler<AddSegment> {
  constructor(private readonly ledger: FollowedLedger) {}

  async execute({ segment: { segmentId, name }, context }: AddSegment): Promise<SegmentDto> {
    const command = { kind: 'AddSegment', segmentId, name } as const;
    const { appId } = context;
    const result = await this.ledger.execute(appAggregate, appId, command, context);
    return answer({ segmentId, name }, result);
  }
}
