import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Route } from '#nest';
import { createHttpApplication } from '#nest/program';
import { createLogger } from '#platform';
import { RootModule } from '../../../apps/api/src/api.module.js';
import { createUnconnectedApi } from './unconnected-api.js';
import { Admission } from '../../../apps/api/src/auth/admission.js';
import { AuthGuard } from '../../../apps/api/src/auth/auth.guard.js';
import { Public } from '../../../apps/api/src/auth/allow.decorator.js';

/** Served by Fastify itself, for everybody: the document of the API and the page to try it. */
const BESIDE_NEST = /^\/(docs(\/.*)?|openapi\.json)?$/;

describe('every route', () => {
  let app: NestFastifyApplication;
  let routes: readonly Route[];

  beforeAll(async () => {
    ({ app, routes } = await createUnconnectedApi());
  });

  afterAll(async () => app.close());

  it('says whom it allows, or that it is public', () => {
    const undecided = routes
      .filter(({ url }) => !BESIDE_NEST.test(url))
      .filter(({ config }) => config.callers === undefined && config.isPublic !== true)
      .map(({ method, url }) => `${method} ${url}`);
    expect(undecided).toEqual([]);
    expect(routes.filter(({ config }) => config.callers !== undefined).length).toBeGreaterThan(40);
  });

  it('is public where it shows health alone, verifies what gateways sign, or asks browsers for a token', () => {
    const open = routes.filter(({ config }) => config.isPublic === true).map(({ url }) => url);
    expect([...new Set(open)].sort()).toEqual([
      '/gateways/:kind/:appId/notices',
      '/healthz',
      '/manage/queues',
      '/manage/queues/*',
      '/metrics',
      '/readyz',
    ]);
  });
});

@Controller()
class ForgottenController {
  @Get('forgotten')
  read(): string {
    return 'secret';
  }
}

@Public()
@Controller()
class OpenController {
  @Get('open')
  read(): string {
    return 'for all';
  }
}

@Module({
  controllers: [ForgottenController, OpenController],
  providers: [
    { provide: APP_GUARD, useClass: AuthGuard },
    // It is asked for callers alone, and no route here names any.
    { provide: Admission, useValue: {} },
  ],
})
class TwoRoutes {}

describe('the guard', () => {
  it('refuses a route that says neither whom it allows nor that it is public', async () => {
    const log = createLogger('spec', { level: 'silent' });
    const stopping = new AbortController().signal;
    const app = await createHttpApplication(RootModule.of(TwoRoutes), { log, stopping });
    await app.init();
    const forgotten = await app.inject('/forgotten');
    const open = await app.inject('/open');
    await app.close();
    expect([forgotten.statusCode, forgotten.body.includes('secret')]).toEqual([500, false]);
    expect([open.statusCode, open.body]).toEqual([200, 'for all']);
  });
});
