import type { Answer, ApiClient, CallOptions } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';

type Call = (
  client: ApiClient,
  method: string,
  path: string,
  options?: CallOptions,
) => Promise<Answer>;

interface ShownGeneration {
  readonly generation: number;
  readonly state: string;
}

/** A read model of little data: other tests of the ledger ask for others. */
const READ_MODEL = '/manage/projections/test-clocks';

/** Takes a generation of a read model through all acts of an operator, and back. */
export async function operateReadModels(call: Call, operator: ApiClient): Promise<void> {
  const act = (name: string, more = {}) =>
    call(operator, 'POST', `${READ_MODEL}/${name}`, { body: { reason: 'a test', ...more } });
  const until = (state: string) =>
    eventually(async () => (await find(operator, state)) !== undefined, { limitMs: 20_000 });
  await call(operator, 'GET', '/manage/projections');
  await act('rebuild', { hold: true, maxPerSecond: 5_000 });
  await until('verified');
  await call(operator, 'GET', READ_MODEL);
  await act('pause');
  await act('resume');
  await act('swap', { anyway: false });
  await until('former');
  const former = await find(operator, 'former');
  await eventually(async () => (await act('rollback')).status === 200, { limitMs: 20_000 });
  await eventually(async () => (await find(operator, 'answering')) === former);
  await act('drop', { generation: await find(operator, 'former') });
  await call(operator, 'GET', `${READ_MODEL}/verification?sample=10`);
  const all = { hold: false, maxPerSecond: null, reason: 'a test' };
  await call(operator, 'POST', '/manage/projections/rebuild', { body: all });
}

/** The number of the generation in a state; undefined for none. */
async function find(operator: ApiClient, state: string): Promise<number | undefined> {
  const { body } = await operator.get(READ_MODEL);
  const generations = body['generations'] as readonly ShownGeneration[];
  return generations.find((each) => each.state === state)?.generation;
}
