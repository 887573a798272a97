import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, backendClient, signature } from '../support/api-client.js';
import { errorReason, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import {
  CONVERT,
  conversion,
  knowPrices,
  putSheet,
  putTaxRates,
  sheet,
} from '../support/prices.js';

const ledger = useLedger();

interface NewApp {
  readonly appId: string;
  readonly ingressSecret: string;
  readonly apiKey: string;
}

/** Another app of the same service, as a caller of it. */
async function createApp(name: string) {
  const { body } = await ledger.allApps.post('/manage/apps', { name, environment: 'production' });
  return { ...ledger.standalone.demo, ...(body as unknown as NewApp) };
}

beforeAll(async () => {
  const csv = sheet(
    ...['gems,US,USD,9.99', 'gems,DE,EUR,9.49', 'gems,JP,JPY,1500', 'gems,KW,KWD,2.900'],
    ...['coin,US,USD,0.99', 'coin,DE,EUR,0', 'gems,IN,INR,123456.50', 'gems,HU,HUF,3990.00'],
  );
  expect((await putSheet(ledger.allApps, ledger.appId, csv)).status).toBe(200);
  const rates = [
    { country: 'DE', rate: '0.19', inclusive: true },
    { country: 'JP', rate: '0.1', inclusive: false },
  ];
  await knowPrices(ledger.backend, await putTaxRates(ledger.allApps, ledger.appId, { rates }));
});

describe('a conversion', () => {
  it('answers with all fields in their order, and names what it was made from', async () => {
    const answer = await ledger.backend.post(CONVERT, conversion({ rounding: 'hg' }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.text).toBe(
      '{"sourceCurrency":"USD","destinationCurrency":"EUR","destinationCountry":"DE","conversions":' +
        '[{"priceId":"gems","sourceAmount":999,"destinationAmount":1099,"preRoundingAmount":1129,' +
        '"displayPrice":"10,99\u00a0€","decimalPlaces":2}],"missingPriceIds":[],"taxRate":"0.19",' +
        '"taxInclusive":true}',
    );
    expect(answer.headers.get('x-price-sheet-version')).toBe('1');
    expect(answer.headers.get('x-tax-rates-version')).toBe('1');
    expect(answer.headers.get('x-pricing-rule-version')).toBe('1');
  });

  it('of an app without a sheet is refused, once its fields are right', async () => {
    const app = await createApp('without prices');
    const refused = await backendClient(app).post(CONVERT, conversion());
    expect(refusal(refused)).toEqual([400, 9, 'PRICE_SHEET_NOT_UPLOADED']);
    expect(errorReason(refused)).toBe('PRICE_SHEET_NOT_UPLOADED');
    const wrong = await backendClient(app).post(CONVERT, conversion({ priceIds: [] }));
    expect(refusal(wrong)).toEqual([400, 3, 'INVALID_FIELDS']);
  });
});

describe('a conversion is for the studio alone', () => {
  const body = JSON.stringify(conversion());
  const sendSigned = (value: string, text = body) =>
    anonymous(ledger.standalone.baseUrl).send('POST', CONVERT, {
      body: text,
      headers: { 'x-service-hmac-signature': value },
    });

  it('a signature over another body, of another tag or app, or cut short, is none', async () => {
    const { demo } = ledger.standalone;
    const other = await createApp('other');
    const good = signature(demo, body);
    const wrong = [
      await sendSigned(good, body.replace('gems', 'coin')),
      await sendSigned(signature(demo, body, Date.now(), 'v2')),
      await sendSigned(signature({ ...demo, appId: other.appId }, body)),
      await sendSigned(signature({ ...demo, ingressSecret: other.ingressSecret }, body)),
      await sendSigned(good.slice(0, -6)),
      await sendSigned(`${good};x`),
      await sendSigned(good.replace(/;\d+;/, ';1e12;')),
    ];
    for (const answer of wrong) expect(refusal(answer)).toEqual([401, 16, 'UNAUTHENTICATED']);
    expect((await sendSigned(good)).status).toBe(200);
    expect((await backendClient(other).post(CONVERT, conversion())).body['code']).toBe(9);
  });

  it('a rotated secret is valid beside the new one, and until it expires', async () => {
    const app = await createApp('rotating');
    const path = `/manage/apps/${app.appId}/ingress-secrets`;
    const rotate = async (expireOldAfterSeconds: number) =>
      String((await ledger.allApps.post(path, { expireOldAfterSeconds })).body['ingressSecret']);
    const codeWith = async (ingressSecret: string) =>
      (await sendSigned(signature({ appId: app.appId, ingressSecret }, body))).body['code'];
    const second = await rotate(3600);
    // Let in, and told that there is no price sheet.
    expect([await codeWith(app.ingressSecret), await codeWith(second)]).toEqual([9, 9]);
    const early = await ledger.allApps.post(path, { expireOldAfterSeconds: 3600 });
    expect(refusal(early)).toEqual([400, 9, 'TOO_MANY_INGRESS_SECRETS']);
    expect([await codeWith(app.ingressSecret), await codeWith(second)]).toEqual([9, 9]);
    const third = await rotate(0);
    expect([await codeWith(second), await codeWith(third)]).toEqual([16, 9]);
  });
});
