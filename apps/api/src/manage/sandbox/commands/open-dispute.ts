import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { readBucket } from '#domain/ids';
import { listDisputes } from '#gateway';
import { answer, type CommandContext, rejected } from '#nest';
import { assertDefect } from '#platform';
import { SandboxDisputes } from '../sandbox-disputes.js';
import type { OpenedDisputeDto } from '../sandbox.dto.js';

/** A payment of the sandbox is disputed, as a card network would do (rules/payments 14). */
export class OpenDispute extends Command<OpenedDisputeDto> {
  constructor(
    readonly paymentId: string,
    readonly amountCents: string | undefined,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(OpenDispute)
export class OpenDisputeHandler implements ICommandHandler<OpenDispute> {
  constructor(private readonly disputes: SandboxDisputes) {}

  async execute({ paymentId, amountCents, context }: OpenDispute): Promise<OpenedDisputeDto> {
    const payment = await this.disputes.requirePayment(paymentId, context);
    if (payment.capturedAt === null) throw rejected({ code: 'payment/not_captured' });
    const about = {
      chargeKey: paymentId,
      ...(amountCents !== undefined && { amountMinor: amountCents }),
    };
    const { state, replayed } = await this.disputes.record(
      payment,
      (now) => ({ kind: 'OpenDispute', ...about, now }),
      context,
    );
    // A repeated request is answered with the books as its first one has left them.
    const dispute = listDisputes(state, paymentId).at(-1);
    assertDefect(dispute !== undefined, 'a dispute that was opened and is in no books');
    const { disputeId, chargeKey, amount } = dispute;
    const notice = { kind: 'dispute_opened', chargeKey, disputeId, amount } as const;
    const position = await this.disputes.tell(notice, context);
    return answer({ disputeId }, { position, bucket: readBucket(paymentId), replayed });
  }
}
