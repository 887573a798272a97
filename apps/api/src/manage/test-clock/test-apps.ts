import type { CreatedApp } from '#domain/app';
import { ApiError, type CommandContexts } from '#nest';

/** @throws ApiError where there is no such app, and where it is no test app: only those have a clock. */
export async function requireTestApp(
  contexts: CommandContexts,
  appId: string,
): Promise<CreatedApp> {
  const app = await contexts.requireApp(appId);
  if (app.environment === 'test') return app;
  throw new ApiError('FAILED_PRECONDITION', {
    reason: 'NOT_A_TEST_APP',
    message: 'Only an app of the environment test has a test clock.',
  });
}
