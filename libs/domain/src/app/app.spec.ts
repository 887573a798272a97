import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { DEFAULT_DUNNING } from '../dunning/index.js';
import { type AppCommand, appAggregate, MAX_SEGMENTS } from './app.decide.js';
import type { AppEvent } from './app.events.js';
import { DEFAULT_SEGMENT } from './app.state.js';
import { createdApp as created } from './spec-support/apps.js';

const { decider } = appAggregate;

const T0 = '2027-01-31T10:00:00.000Z';
const T1 = '2027-02-01T10:00:00.000Z';
const T2 = '2027-02-02T10:00:00.000Z';
const rotated = (sealed: string, oldExpiresAt: string): AppEvent => ({
  type: 'app.ingress_secret_rotated.v1',
  data: { sealedIngressSecret: sealed, oldExpiresAt },
});
const rotate = (sealed: string, wallNow: string, oldExpiresAt: string): AppCommand => ({
  kind: 'RotateIngressSecret',
  secret: { sealedIngressSecret: sealed, oldExpiresAt },
  wallNow,
});

describe('an app', () => {
  it('starts with one segment, one secret and the default dunning, and is created once', () => {
    const create: AppCommand = { kind: 'CreateApp', app: created.data };
    expect(given(decider).when(create)).toEqual([created]);
    expect(given(decider, created).state).toMatchObject({
      segments: [{ segmentId: DEFAULT_SEGMENT }],
      ingressSecrets: [{ sealed: 'sealed-1', expiresAt: null }],
      dunning: DEFAULT_DUNNING,
      onLostDispute: 'keep',
      allowedOrigins: ['*'],
    });
    expect(given(decider, created).when(create)).toEqual([]);
  });

  it('that was never created is not found', () => {
    const outcome = given(decider).when({ kind: 'AddSegment', segmentId: 'eu', name: '' });
    expect(outcome).toBe('app/not_found');
  });

  it('has each segment once, and not without end', () => {
    const add: AppCommand = { kind: 'AddSegment', segmentId: 'eu', name: 'Europe' };
    const added: AppEvent = {
      type: 'app.segment_added.v1',
      data: { segmentId: 'eu', name: 'Europe' },
    };
    expect(given(decider, created).when(add)).toEqual([added]);
    expect(given(decider, created, added).when(add)).toBe('app/segment_exists');
    const usual: AppCommand = { kind: 'AddSegment', segmentId: DEFAULT_SEGMENT, name: '' };
    expect(given(decider, created).when(usual)).toBe('app/segment_exists');
    const many = Array.from({ length: MAX_SEGMENTS - 1 }, (_, index): AppEvent => ({
      type: 'app.segment_added.v1',
      data: { segmentId: `segment-${index}`, name: '' },
    }));
    expect(given(decider, created, ...many).when(add)).toBe('app/too_many_segments');
  });

  it('keeps the secret before the newest one for a while, and none before that', () => {
    expect(given(decider, created).when(rotate('sealed-2', T0, T1))).toEqual([
      rotated('sealed-2', T1),
    ]);
    const history = [created, rotated('sealed-2', T1), rotated('sealed-3', T2)];
    expect(given(decider, ...history).state).toMatchObject({
      ingressSecrets: [
        { sealed: 'sealed-3', expiresAt: null },
        { sealed: 'sealed-2', expiresAt: T2 },
      ],
    });
  });

  it('keeps a former secret as long as was promised, unless all former ones are ended', () => {
    const after = given(decider, created, rotated('sealed-2', T1));
    expect(after.when(rotate('sealed-3', T0, T2))).toBe('app/too_many_ingress_secrets');
    expect(after.when(rotate('sealed-3', T1, T2))).toEqual([rotated('sealed-3', T2)]);
    expect(after.when(rotate('sealed-3', T0, T0))).toEqual([rotated('sealed-3', T0)]);
    const ended = given(decider, created, rotated('sealed-2', T1), rotated('sealed-3', T0));
    expect(ended.when(rotate('sealed-4', T0, T2))).toEqual([rotated('sealed-4', T2)]);
  });

  it('has the same secrets sealed anew, but for one that was rotated meanwhile', () => {
    const resealed = new Map([
      ['sealed-1', 'anew-1'],
      ['sealed-key', 'anew-key'],
      ['sealed-token-key', 'anew-token-key'],
      ['sealed-5', 'anew-5'],
    ]);
    const reseal: AppCommand = { kind: 'ResealSecrets', resealed };
    const history = [created, rotated('sealed-2', T1)];
    const events = given(decider, ...history).when(reseal) as AppEvent[];
    const after = given(decider, ...history, ...events);
    expect(after.state).toMatchObject({
      ingressSecrets: [
        { sealed: 'sealed-2', expiresAt: null },
        { sealed: 'anew-1', expiresAt: T1 },
      ],
      sealedApiKey: 'anew-key',
      sealedTokenKey: 'anew-token-key',
      sealedPseudonymKey: 'anew-5',
    });
    expect(after.when(reseal)).toEqual([]);
  });

  it('has no retry after the grace, when access has ended', () => {
    const configure = (graceHours: number, ...retryAfterHours: number[]): AppCommand => ({
      kind: 'ConfigureApp',
      dunning: { ...DEFAULT_DUNNING, graceHours, retryAfterHours },
    });
    expect(given(decider, created).when(configure(47, 24, 48))).toBe('app/retry_beyond_grace');
    expect(given(decider, created).when(configure(0, 1))).toBe('app/retry_beyond_grace');
    expect(given(decider, created).when(configure(50, 24, 50))).toHaveLength(1);
    expect(given(decider, created).when(configure(0))).toHaveLength(1);
  });

  it('is configured field by field; what stays equal is no change', () => {
    const classes = { retriedDeclineClasses: ['soft'] } as const;
    const dunning = { graceHours: 72, retryAfterHours: [12], ...classes };
    const allowedOrigins = ['https://gold.example'];
    const defaultRegionCode = 'US-NY';
    const onLostDispute = 'end' as const;
    const where = { allowedOrigins, defaultRegionCode, sealWitness: true };
    const settings = { name: 'Gold Rush II', dunning, onLostDispute, ...where };
    const configure: AppCommand = { kind: 'ConfigureApp', ...settings };
    const events: AppEvent[] = [
      { type: 'app.renamed.v1', data: { name: 'Gold Rush II' } },
      { type: 'app.dunning_configured.v2', data: dunning },
      { type: 'app.lost_dispute_policy_set.v1', data: { onLostDispute } },
      { type: 'app.allowed_origins_configured.v1', data: { allowedOrigins } },
      { type: 'app.default_region_set.v1', data: { defaultRegionCode } },
      { type: 'app.seal_witness_set.v1', data: { sealWitness: true } },
    ];
    expect(given(decider, created).when(configure)).toEqual(events);
    const configured = given(decider, created, ...events);
    expect(configured.state).toMatchObject(settings);
    expect(configured.when(configure)).toEqual([]);
    expect(configured.when({ kind: 'ConfigureApp' })).toEqual([]);
    const sameDunning = { ...classes, retryAfterHours: [12], graceHours: 72 };
    expect(configured.when({ kind: 'ConfigureApp', dunning: sameDunning })).toEqual([]);
  });

  it('has no issuer of tokens beside itself until one is set, and none when it is taken away', () => {
    const tokenIssuer = {
      issuer: 'https://id.example',
      ...{ jwksUrl: 'https://id.example/jwks.json', audience: 'gold-rush' },
    };
    const configured = (data: { tokenIssuer: typeof tokenIssuer | null }): AppEvent => ({
      type: 'app.token_issuer_configured.v1',
      data,
    });
    const before = given(decider, created);
    expect(before.state).toMatchObject({ tokenIssuer: null });
    expect(before.when({ kind: 'ConfigureApp', tokenIssuer: null })).toEqual([]);
    const set: AppCommand = { kind: 'ConfigureApp', tokenIssuer };
    expect(before.when(set)).toEqual([configured({ tokenIssuer })]);
    const after = given(decider, created, configured({ tokenIssuer }));
    expect(after.state).toMatchObject({ tokenIssuer });
    expect(after.when({ kind: 'ConfigureApp', tokenIssuer: { ...tokenIssuer } })).toEqual([]);
    expect(after.when({ kind: 'ConfigureApp', name: 'Gold Rush III' })).toHaveLength(1);
    const taken = configured({ tokenIssuer: null });
    expect(after.when({ kind: 'ConfigureApp', tokenIssuer: null })).toEqual([taken]);
    expect(given(decider, created, configured({ tokenIssuer }), taken).state).toMatchObject({
      tokenIssuer: null,
    });
  });
});
