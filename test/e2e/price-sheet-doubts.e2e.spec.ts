import { beforeEach, describe, expect, it } from 'vitest';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { putSheet, sheet } from '../support/prices.js';

const ledger = useLedger();
let appId: string;

/** Each test has an app of its own. */
beforeEach(async () => {
  const app = { name: 'prices', environment: 'test' };
  appId = String((await ledger.allApps.post('/manage/apps', app)).body['appId']);
});

const put = (csv: string) => putSheet(ledger.allApps, appId, csv);
const activate = (version: number) =>
  ledger.allApps.post(`/manage/apps/${appId}/price-sheet/versions/${version}/activate`);
const versionInForce = async () => {
  const answer = await ledger.allApps.get(`/manage/apps/${appId}/price-sheet`);
  return answer.headers.get('x-price-sheet-version');
};

describe('a sheet that went through a spreadsheet', () => {
  const IN_FORCE = sheet('00123,US,USD,19.99', '00123,KW,KWD,9.990', 'gems,US,USD,9.99');
  const SAVED = sheet('123,US,USD,19.99', '123,KW,KWD,9990', 'gems,US,USD,9.99');
  const confirm = (count: string, csv = SAVED) =>
    ledger.allApps.send('PUT', `/manage/apps/${appId}/price-sheet?confirm=${count}`, {
      body: csv,
      headers: { 'content-type': 'text/csv' },
    });

  it('is refused by its doubtful rows, and taken with their number alone', async () => {
    await put(IN_FORCE);
    const refused = await put(SAVED);
    expect(refusal(refused)).toEqual([400, 9, 'PRICE_SHEET_DOUBTFUL']);
    expect(badFields(refused)).toEqual(['line 2', 'line 3']);
    expect(refused.text).toContain('confirm=2');
    expect(refusal(await confirm('3'))).toEqual([400, 9, 'PRICE_SHEET_DOUBTFUL']);
    expect(badFields(await confirm('two'))).toEqual(['confirm']);
    expect(await versionInForce()).toBe('1');
    expect((await confirm('2')).body).toEqual({ version: 2, rowCount: 3, priceIdCount: 2 });
    expect((await put(SAVED)).body).toMatchObject({ version: 2 });
  });

  it('needs no confirmation of an older version that is made current again', async () => {
    await put(IN_FORCE);
    await confirm('2');
    expect((await activate(1)).body).toMatchObject({ version: 1 });
  });
});
