import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { readBucket } from '#domain/ids';
import { readChargeKey } from '#gateway';
import { answer, type CommandContext, notFound } from '#nest';
import { assertDefect } from '#platform';
import { EndsByDispute } from '../ends-by-dispute.js';
import { SandboxDisputes } from '../sandbox-disputes.js';
import type { ClosedDisputeDto } from '../sandbox.dto.js';

/** A dispute of the sandbox is decided (rules/payments 14). */
export class CloseDispute extends Command<ClosedDisputeDto> {
  constructor(
    readonly disputeId: string,
    readonly won: boolean,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(CloseDispute)
export class CloseDisputeHandler implements ICommandHandler<CloseDispute> {
  constructor(
    private readonly disputes: SandboxDisputes,
    private readonly ends: EndsByDispute,
  ) {}

  async execute({ disputeId, won, context }: CloseDispute): Promise<ClosedDisputeDto> {
    const paymentId = readChargeKey(disputeId);
    if (paymentId === undefined) throw notFound('dispute', disputeId);
    const payment = await this.disputes.requirePayment(paymentId, context);
    const { state, replayed } = await this.disputes.record(
      payment,
      (now) => ({ kind: 'CloseDispute', disputeId, won, now }),
      context,
    );
    const dispute = state.disputes[disputeId];
    assertDefect(dispute !== undefined, 'a dispute that was closed and is in no books');
    const { chargeKey, amount } = dispute;
    const notice = { kind: 'dispute_closed', chargeKey, disputeId, amount, won } as const;
    const closedAt = await this.disputes.tell(notice, context);
    const position = won ? closedAt : await this.ends.await(payment, closedAt);
    return answer({ disputeId, won }, { position, bucket: readBucket(paymentId), replayed });
  }
}
