import { type AppCaller, isCallers, notFound } from '#nest';
import type { ReadModels } from '#projection-engine';
import { subscriptions } from '#projections';

/** @throws ApiError where there is none, or none of the caller's: both are answered alike. */
export async function findSubscription(readModels: ReadModels, id: string, caller: AppCaller) {
  const found = await readModels.ask(subscriptions).byId(id);
  if (found === undefined || !isCallers(caller, found.state)) throw notFound('subscription', id);
  return found;
}
