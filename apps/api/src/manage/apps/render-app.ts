import type { App } from '#domain/app';
import type { Accepted } from '#event-store';
import { answer } from '#nest';
import { assertDefect } from '#platform';
import type { ListedApp } from '#projections';
import type { AppDto } from './app.dto.js';
import type { CatalogSettingsDto } from './catalog-settings.dto.js';

/** An app as the management API shows it: without its secrets. */
export function renderApp(app: ListedApp): AppDto {
  const { appId, name, environment, segments, dunning, createdAt } = app;
  const { allowedOrigins, defaultRegionCode, tokenIssuer, onLostDispute } = app;
  const { kind, secretKeyEnding } = app.gateway;
  return {
    appId,
    name,
    environment,
    segments: [...segments],
    dunning: {
      graceHours: dunning.graceHours,
      retryAfterHours: [...dunning.retryAfterHours],
      retriedDeclineClasses: [...dunning.retriedDeclineClasses],
    },
    onLostDispute,
    allowedOrigins: [...allowedOrigins],
    defaultRegionCode,
    gateway: { kind, ...(kind === 'stripe' && { secretKeyEnding }) },
    ...(app.catalog !== null && { catalog: renderCatalog(app.catalog) }),
    tokenIssuer: tokenIssuer && { ...tokenIssuer },
    createdAt,
  };
}

function renderCatalog({ baseUrl, path, apiKeyHeader }: CatalogSettingsDto): CatalogSettingsDto {
  return { baseUrl, path, apiKeyHeader };
}

/** An app as a command has left it. */
export function answerApp(result: Accepted<App, unknown>): AppDto {
  assertDefect(result.state.status === 'created', 'a command accepted by no app');
  return answer(renderApp(result.state), result);
}
