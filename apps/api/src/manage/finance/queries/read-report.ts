import { StreamableFile } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { readQuestion, type ReportFormat, REPORTS } from '#finance';
import { CommandContexts, invalidFields, notFound, queryWith } from '#nest';
import { Bookkeeper } from '../bookkeeper.js';
import type { ReportQuery } from '../finance.dto.js';

/** A table is for terminals. */
type SentFormat = Exclude<ReportFormat, 'table'>;

const TYPES: Readonly<Record<SentFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  hledger: 'text/plain; charset=utf-8',
  ledger: 'text/plain; charset=utf-8',
  beancount: 'text/plain; charset=utf-8',
};

/** A report of an app's books, by a bookkeeper (rules/finance 12). */
export class ReadReport extends queryWith<
  { appId: string; report: string; query: ReportQuery; gone: AbortSignal },
  StreamableFile
>() {}

@QueryHandler(ReadReport)
export class ReadReportHandler implements IQueryHandler<ReadReport> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly bookkeeper: Bookkeeper,
  ) {}

  /** @throws ApiError with every bad parameter. */
  async execute({ appId, report, query, gone }: ReadReport): Promise<StreamableFile> {
    await this.contexts.requireApp(appId);
    const choice = REPORTS.find(({ name }) => name === report);
    if (choice === undefined) throw notFound('report', report, 'name');
    const formats = choice.formats.filter(isSent);
    const question = readQuestion({ ...choice, formats }, query);
    if ('violations' in question) throw invalidFields(question.violations);
    const { period, format } = question;
    const bytes = await this.bookkeeper.ask({ app: appId, kind: 'report', question }, gone);
    return new StreamableFile(bytes, {
      ...(isSent(format) && { type: TYPES[format] }),
      disposition: `attachment; filename="${report}-${period}.${format}"`,
    });
  }
}

function isSent(format: ReportFormat): format is SentFormat {
  return format !== 'table';
}
