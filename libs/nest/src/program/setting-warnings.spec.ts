import { expect, it } from 'vitest';
import { warnOfSettings } from './setting-warnings.js';

it('of a program that leads players to its own machine, since it knows no better, are said', () => {
  const storefrontUrl = 'http://127.0.0.1:8081';
  const unset = [expect.stringMatching(/^STOREFRONT_URL is not set: .*127\.0\.0\.1:8081/)];
  expect(warnOfSettings({ storefrontUrl }, {})).toEqual(unset);
  expect(warnOfSettings({ storefrontUrl }, { STOREFRONT_URL: ' ' })).toEqual(unset);
  expect(warnOfSettings({ storefrontUrl }, { STOREFRONT_URL: storefrontUrl })).toEqual([]);
  expect(warnOfSettings({}, {})).toEqual([]);
});

it('of test cards in production apps are said', () => {
  expect(warnOfSettings({ sandboxInProductionApps: 'none' }, {})).toEqual([]);
  expect(warnOfSettings({ sandboxInProductionApps: 'trial' }, {})).toEqual([
    expect.stringContaining('trial run'),
  ]);
});
