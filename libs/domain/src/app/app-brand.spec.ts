import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { appAggregate } from './app.decide.js';
import type { AppEvent, Brand } from './app.events.js';
import { createdApp as created } from './spec-support/apps.js';

const { decider } = appAggregate;

/** The brand of a studio on pages for players (rules/storefront 8). */
const brand: Brand = { name: 'Gold Rush', accentColor: '#c2410c' };
const set = (data: Brand): AppEvent => ({ type: 'app.brand_set.v1', data });

describe('the brand of an app', () => {
  it('is not there until it is set', () => {
    expect(given(decider, created).state).toMatchObject({ brand: null });
    expect(given(decider, created).when({ kind: 'SetBrand', brand })).toEqual([set(brand)]);
    expect(given(decider, created, set(brand)).state).toMatchObject({ brand });
  });

  it('is set as a whole: what is left out is not there any more', () => {
    const { when } = given(decider, created, set(brand));
    const bare = { name: 'Gold Rush' };
    expect(when({ kind: 'SetBrand', brand: bare })).toEqual([set(bare)]);
    expect(given(decider, created, set(brand), set(bare)).state).toMatchObject({ brand: bare });
  });

  it('set again is no change', () => {
    expect(
      given(decider, created, set(brand)).when({ kind: 'SetBrand', brand: { ...brand } }),
    ).toEqual([]);
  });

  it('is none of an app that is not there', () => {
    expect(given(decider).when({ kind: 'SetBrand', brand })).toBe('app/not_found');
  });
});
