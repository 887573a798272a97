import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isZone } from '#domain/finance';
import type { CommandExecutor, LedgerStore } from '#event-store';
import { importRows, readStripeReport } from '#finance';
import {
  COMMAND_EXECUTOR,
  CommandContexts,
  type CommandSource,
  commandWith,
  EVENT_STORE,
  invalidFields,
} from '#nest';
import { readUploadedText, type Upload } from '../../../http/read-upload.js';
import { orApiError } from '../finance-errors.js';
import type { ImportReportDto } from '../finance.dto.js';

/** Some thirty thousand rows, which are kept in memory while they are checked; the command takes any file. */
const MAX_IMPORT_BYTES = 8 * 1024 * 1024;

/** Takes an itemized report of Stripe's, or nothing of it (rules/finance 32). */
export class ImportStripeReport extends commandWith<
  { appId: string; upload: Upload; zone: string; source: CommandSource },
  ImportReportDto
>() {}

@CommandHandler(ImportStripeReport)
export class ImportStripeReportHandler implements ICommandHandler<ImportStripeReport> {
  constructor(
    private readonly contexts: CommandContexts,
    @Inject(EVENT_STORE) private readonly store: LedgerStore,
    @Inject(COMMAND_EXECUTOR) private readonly commands: CommandExecutor,
  ) {}

  /** @throws ApiError with every bad row; Fault: the same import once more goes on. */
  async execute({ appId, upload, zone, source }: ImportStripeReport): Promise<ImportReportDto> {
    if (!isZone(zone)) {
      const description = 'must be the name of a time zone, such as Europe/Berlin';
      throw invalidFields([{ field: 'zone', description }]);
    }
    const context = await this.contexts.withoutIdempotency(source, appId);
    const name = 'The report';
    const text = await readUploadedText(upload, { name, maxBytes: MAX_IMPORT_BYTES });
    const { store, commands } = this;
    const app = { appId, store, commands, context };
    const read = () => readStripeReport({ name, zone, open: () => [text] });
    const { appId: _, ...report } = await orApiError(() =>
      importRows(app, { name: 'the report', read }),
    );
    return report;
  }
}
