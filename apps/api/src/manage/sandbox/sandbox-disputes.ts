import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Position } from '#domain/event';
import { isId } from '#domain/ids';
import { findReference, paymentAggregate, type RequestedPayment } from '#domain/payment';
import {
  type GatewayNotice,
  type PaymentGateways,
  readGatewayKind,
  type SandboxDisputeCommand,
  sandboxDisputesAggregate,
  type SandboxNotices,
} from '#gateway';
import { CLOCK, type CommandContext, gatewayNotConfigured, Ledger, notFound } from '#nest';
import type { Clock } from '#platform';
import { ReceiveNotice } from '../../gateway-notices/commands/receive-notice.js';
import { GATEWAYS, SANDBOX_NOTICES } from '../../tokens.js';

/** Disputes in the sandbox's own books, of which the ledger learns by its notices (rules/payments 14). */
@Injectable()
export class SandboxDisputes {
  constructor(
    private readonly ledger: Ledger,
    private readonly bus: CommandBus,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    @Inject(SANDBOX_NOTICES) private readonly notices: SandboxNotices,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** A payment of the caller's app that the sandbox serves. @throws ApiError 5, or 9 for other apps. */
  async requirePayment(id: string, { appId }: CommandContext) {
    if (!(await this.gateways.serves(appId, 'sandbox'))) throw gatewayNotConfigured();
    const { state } = isId('pay', id)
      ? await this.ledger.load(paymentAggregate, id)
      : { state: { status: 'none' } as const };
    if (state.status === 'none' || state.appId !== appId) throw notFound('payment', id);
    // A payment that another gateway took is disputed there alone.
    if (readGatewayKind(state.paymentMethod) !== 'sandbox') throw gatewayNotConfigured();
    return state;
  }

  /** Does it in the books: once for an Idempotency-Key, on the wall clock, which is the gateway's. */
  record(
    { purpose }: RequestedPayment,
    command: (now: string) => SandboxDisputeCommand,
    { ifMatch: _revision, player: _player, ...context }: CommandContext,
  ) {
    const now = this.clock.now();
    const reference = findReference(purpose);
    // The sandbox is no tenant: its events belong to no app.
    const own = { ...context, appId: 'sandbox', environment: 'test' as const, now };
    return this.ledger.execute(sandboxDisputesAggregate, reference, command(now), own);
  }

  /** Tells the ledger as a gateway does. A repeated call sends a lost notice again. */
  tell(notice: GatewayNotice, { appId, correlationId }: CommandContext): Promise<Position | null> {
    const sent = this.notices.sign(appId, notice);
    return this.bus.execute(new ReceiveNotice('sandbox', sent, correlationId));
  }
}
