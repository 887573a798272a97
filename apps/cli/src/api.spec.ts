import { afterEach, expect, it, vi } from 'vitest';
import { Api } from './api.js';

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ['https://ledger.example', 'https://ledger.example/manage/apps/app_1/plans?limit=1'],
  ['https://ledger.example/', 'https://ledger.example/manage/apps/app_1/plans?limit=1'],
  [
    'https://studio.example/ledger',
    'https://studio.example/ledger/manage/apps/app_1/plans?limit=1',
  ],
  [
    'https://studio.example/a%20b//',
    'https://studio.example/a%20b/manage/apps/app_1/plans?limit=1',
  ],
])('the API at %s is asked below that address', async (baseUrl, expected) => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{}'));
  await new Api({ baseUrl, appId: 'app_1', token: 't' }).send('plans?limit=1');
  expect(fetched.mock.calls[0]?.[0]).toEqual(new URL(expected));
});
