import { describe, expect, it } from 'vitest';
import type { GatewayNotice } from './gateway-notice.js';
import { createSandboxNotices } from './sandbox-notices.js';

const NOW = '2027-02-03T08:00:00.000Z';
const KEY = Buffer.alloc(32, 1);
const NEWER = Buffer.alloc(32, 2);
const notice: GatewayNotice = {
  kind: 'dispute_opened',
  ...{ chargeKey: 'pay_1', disputeId: 'dsp_1', amount: { amountMinor: '999', currency: 'USD' } },
};
const at = (now: string, ...keys: Buffer[]) =>
  createSandboxNotices({ keys: () => keys, clock: { now: () => now } });
const sent = at(NOW, KEY).sign('app_1', notice);

describe('a notice of the sandbox', () => {
  it('is what was signed, under each key while one is rotated', async () => {
    const genuine = { genuine: true, notices: [notice] };
    expect(await at(NOW, KEY).read(sent)).toEqual(genuine);
    expect(await at(NOW, NEWER, KEY).read(sent)).toEqual(genuine);
    expect(await at('2027-02-03T08:05:00.000Z', KEY).read(sent)).toEqual(genuine);
  });

  it.each([
    ['of another app', { ...sent, appId: 'app_2' }],
    ['with another body', { ...sent, body: Buffer.from(`${sent.body.toString()} `) }],
    ['without a signature', { ...sent, headers: {} }],
    ['with half a signature', { ...sent, headers: { 'sandbox-signature': 't=1,v1=00' } }],
    ['with two signatures', { ...sent, headers: { 'sandbox-signature': ['t=1', 't=2'] } }],
    [
      'of another time',
      {
        ...sent,
        headers: {
          'sandbox-signature': String(sent.headers['sandbox-signature']).replace(/t=\d+/, 't=1'),
        },
      },
    ],
  ])('%s is forged', async (_, altered) => {
    expect(await at(NOW, KEY).read(altered)).toMatchObject({ genuine: false });
  });

  it('under another key, or over five minutes old or early, is forged', async () => {
    expect(await at(NOW, NEWER).read(sent)).toMatchObject({ genuine: false });
    expect(await at(NOW).read(sent)).toMatchObject({ genuine: false });
    for (const now of ['2027-02-03T08:05:01.000Z', '2027-02-03T07:54:59.000Z']) {
      expect(await at(now, KEY).read(sent)).toMatchObject({ genuine: false });
    }
  });
});
