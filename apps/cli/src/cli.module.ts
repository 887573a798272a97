import { Module } from '@nestjs/common';
import { InjectCommander } from 'nest-commander';
import { releaseVersion } from '#platform';
import { EXIT_CODES_HELP } from './cli-error.js';
import { CatalogCommands } from './catalog/catalog.command.js';
import { ListCatalogFailures } from './catalog/failures.command.js';
import { TestCatalog } from './catalog/test.command.js';
import { AdvanceClock } from './clock/advance.command.js';
import { ClockCommands } from './clock/clock.command.js';
import { MasterKeyCommands } from './master-key/master-key.command.js';
import { RotateMasterKey } from './master-key/rotate.command.js';
import { IssueOperatorToken } from './operator-token/issue.command.js';
import { ListOperatorTokens } from './operator-token/list.command.js';
import { OperatorTokenCommands } from './operator-token/operator-token.command.js';
import { RevokeOperatorToken } from './operator-token/revoke.command.js';
import { ListParked } from './parked/list.command.js';
import { ParkedCommands } from './parked/parked.command.js';
import { RetryParked } from './parked/retry.command.js';
import { OrdersCommands } from './orders/orders.command.js';
import { ShowOrder } from './orders/show.command.js';
import { PaymentsCommands } from './payments/payments.command.js';
import { ReconcilePayments } from './payments/reconcile.command.js';
import { RefundPaymentCommand } from './payments/refund.command.js';
import { ShowPayment } from './payments/show.command.js';
import { ErasePlayerCommand } from './players/erase.command.js';
import { PlayersCommands } from './players/players.command.js';
import { ActivatePriceSheet } from './price-sheets/activate.command.js';
import { ListPriceSheets } from './price-sheets/list.command.js';
import { PriceSheets } from './price-sheets/price-sheets.command.js';
import { DryRunPriceSheet } from './price-sheets/dry-run.command.js';
import { ShowPriceSheet } from './price-sheets/show.command.js';
import { UploadPriceSheet } from './price-sheets/upload.command.js';
import { wantsJson } from './output.js';
import { CheckStore } from './store/check.command.js';
import { CopyStore } from './store/copy.command.js';
import { InitStore } from './store/init.command.js';
import { RepartitionStore } from './store/partitions.command.js';
import { NoteRestore } from './store/restored.command.js';
import { ScavengeStore } from './store/scavenge.command.js';
import { StoreCommands } from './store/store.command.js';
import { ReadStream } from './streams/read.command.js';
import { StreamsCommand } from './streams/streams.command.js';
import { ShowSubscription } from './subscriptions/show.command.js';
import { SubscriptionsCommands } from './subscriptions/subscriptions.command.js';
import { SetTaxRatesCommand } from './tax-rates/set.command.js';
import { ShowTaxRates } from './tax-rates/show.command.js';
import { TaxRatesCommand } from './tax-rates/tax-rates.command.js';
import { ENDPOINT_COMMANDS, EndpointsCommands } from './webhooks/endpoints/endpoints.command.js';
import { ListFailedWebhooks } from './webhooks/failed.command.js';
import { ShowDeliveryLog } from './webhooks/log.command.js';
import { ResendWebhooks } from './webhooks/resend.command.js';
import { ShowWebhookStatus } from './webhooks/status.command.js';
import { TestWebhook } from './webhooks/test.command.js';
import { WebhooksCommands } from './webhooks/webhooks.command.js';

/** What operations and finance type. A new command is a provider here and a line in its group. */
@Module({
  providers: [
    ...[PriceSheets, UploadPriceSheet, ListPriceSheets, ShowPriceSheet],
    ...[ActivatePriceSheet, DryRunPriceSheet],
    ...[TaxRatesCommand, SetTaxRatesCommand, ShowTaxRates],
    ...[OperatorTokenCommands, IssueOperatorToken, ListOperatorTokens, RevokeOperatorToken],
    ...[MasterKeyCommands, RotateMasterKey],
    ...[ParkedCommands, ListParked, RetryParked],
    ...[PlayersCommands, ErasePlayerCommand],
    ...[
      StoreCommands,
      CheckStore,
      CopyStore,
      InitStore,
      RepartitionStore,
      NoteRestore,
      ScavengeStore,
    ],
    ...[SubscriptionsCommands, ShowSubscription, PaymentsCommands, ShowPayment],
    ...[RefundPaymentCommand, ReconcilePayments, OrdersCommands, ShowOrder],
    ...[CatalogCommands, TestCatalog, ListCatalogFailures],
    ...[ClockCommands, AdvanceClock],
    ...[StreamsCommand, ReadStream],
    ...[WebhooksCommands, EndpointsCommands, TestWebhook, ResendWebhooks, ShowDeliveryLog],
    ...[ShowWebhookStatus, ListFailedWebhooks],
    ...ENDPOINT_COMMANDS,
  ],
})
export class CliModule {
  /** Without a name of its own the help would call the program by the name of its file. */
  constructor(@InjectCommander() program: Program) {
    program
      .name('subledger')
      .version(`subledger ${releaseVersion()}`, '--version')
      .addHelpText('afterAll', EXIT_CODES_HELP);
    if (wantsJson()) program.configureOutput({ writeErr: () => undefined });
  }
}

/** As much of commander's program as is asked of it here. */
interface Program {
  name(text: string): this;
  version(text: string, flags: string): this;
  addHelpText(position: 'afterAll', text: string): this;
  configureOutput(configuration: { writeErr: () => void }): this;
}
