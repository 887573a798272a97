import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type CatalogAnswer, CatalogCaller } from '#catalog';
import { ApiError, CommandContexts, invalidFields, queryWith } from '#nest';
import type { CatalogTestDto, TestCatalogBody } from '../catalog.dto.js';

/** As much of an answer as is shown. */
const SHOWN_BYTES = 65_536;

/** One call of an app's catalog, of which nothing is kept (rules/catalog 6). */
export class TestCatalog extends queryWith<
  { appId: string; asked: TestCatalogBody },
  CatalogTestDto
>() {}

@QueryHandler(TestCatalog)
export class TestCatalogHandler implements IQueryHandler<TestCatalog> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly caller: CatalogCaller,
  ) {}

  async execute({ appId, asked }: TestCatalog): Promise<CatalogTestDto> {
    const app = await this.contexts.requireApp(appId);
    const request = this.caller.describe(app, asked);
    if (request === undefined) throw notConfigured();
    if (request.url === '') {
      const description = 'must be an id that can stand in an address, which . and .. cannot';
      throw invalidFields([{ field: 'playerId', description }]);
    }
    const { url, headers } = request;
    const answer = await this.caller.call(app, asked);
    return { request: { url, headers: { ...headers } }, ...render(answer) };
  }
}

function render({ parsed, answer, error }: CatalogAnswer): Omit<CatalogTestDto, 'request'> {
  const body = answer?.body.subarray(0, SHOWN_BYTES).toString('utf8') ?? '';
  const failed = !parsed.ok && error !== undefined && { code: parsed.reason, text: error };
  return {
    response: answer === undefined ? null : { status: answer.status, body },
    violations: parsed.ok ? [] : [...parsed.violations],
    violationCount: parsed.ok ? 0 : parsed.violationCount,
    ...(failed !== false && { error: failed }),
  };
}

function notConfigured(): ApiError {
  return new ApiError('FAILED_PRECONDITION', {
    reason: 'CATALOG_NOT_CONFIGURED',
    message: 'The app has no catalog yet. Set it with PATCH /manage/apps/{appId}.',
  });
}
