import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { A_ZONE, isZone } from '#domain/finance';
import { importRows, readStripeReport } from '#finance';
import { type CommandSource, commandWith, invalidFields } from '#nest';
import { readUploadedText, type Upload } from '../../../http/read-upload.js';
import { FinanceApps } from '../finance-apps.js';
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
  constructor(private readonly apps: FinanceApps) {}

  /** @throws ApiError with every bad row; Fault: the same import once more goes on. */
  async execute({ appId, upload, zone, source }: ImportStripeReport): Promise<ImportReportDto> {
    if (!isZone(zone)) {
      throw invalidFields([{ field: 'zone', description: `must be ${A_ZONE}` }]);
    }
    const app = await this.apps.open(appId, source);
    const name = 'The report';
    const text = await readUploadedText(upload, { name, maxBytes: MAX_IMPORT_BYTES });
    const read = () => readStripeReport({ name, zone, open: () => [text] });
    const { appId: _, ...report } = await orApiError(() =>
      importRows(app, { name: 'the report', read }),
    );
    return report;
  }
}
