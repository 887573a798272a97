import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import {
  MAX_RESENT_MESSAGES,
  MAX_VALID_SECRETS,
  webhookEndpointAggregate,
} from './webhook-endpoint.decide.js';
import {
  WEBHOOK_ENDPOINT_UPCASTERS,
  type WebhookEndpointCreated,
  type WebhookEndpointEvent,
} from './webhook-endpoint.events.js';
import { signingSecrets } from './webhook-endpoint.state.js';

const T0 = '2027-01-31T10:00:00.000Z';
const T1 = '2027-01-31T11:00:00.000Z';
const { decider } = webhookEndpointAggregate;
const created: WebhookEndpointCreated = {
  type: 'webhook_endpoint.created.v2',
  data: {
    endpointId: 'whe_1',
    appId: 'app_1',
    url: 'https://studio.example/webhooks',
    eventTypes: ['*'],
    accept: '2xx',
    description: '',
    maxPerSecond: null,
    sealedSecret: 'sealed',
    createdAt: T0,
  },
};
const deleted = { type: 'webhook_endpoint.deleted.v1', data: { deletedAt: T0 } } as const;
const enabled = { type: 'webhook_endpoint.enabled.v1', data: { enabledAt: T1 } } as const;
const disabledFor = (reason: 'operator' | 'gone' | 'failing') =>
  ({ type: 'webhook_endpoint.disabled.v1', data: { reason, disabledAt: T0 } }) as const;

const create = { kind: 'CreateWebhookEndpoint', endpoint: created.data } as const;
const change = { kind: 'ChangeWebhookEndpoint', changes: { url: 'u' }, now: T0 } as const;
const disable = { kind: 'DisableWebhookEndpoint', reason: 'operator', now: T0 } as const;
const enable = { kind: 'EnableWebhookEndpoint', now: T1 } as const;
const reseal = {
  kind: 'ResealSecrets',
  resealed: new Map([['sealed', 'anew']]),
} as const;
const rotate = (sealedSecret: string, wallNow = T0, overlapMs = 3_600_000) =>
  ({ kind: 'RotateWebhookSecret', sealedSecret, overlapMs, wallNow }) as const;
const test = {
  kind: 'RequestTestMessage',
  testId: 'tst_1',
  eventType: 'payment.failed',
  now: T0,
} as const;
const name = (revision: number) => ({
  ...{ streamName: 'subscription-sub_1', revision, messageId: `msg_${revision}` },
});
const one = { messages: [name(7)], restAfter: null };
const resend = { kind: 'RequestResend', resend: one, now: T1 } as const;
const remove = { kind: 'DeleteWebhookEndpoint', now: T0 } as const;

describe('a webhook endpoint', () => {
  it('is enabled once it is created, and is created once', () => {
    expect(given(decider).when(create)).toEqual([created]);
    expect(given(decider, created).state.status).toBe('enabled');
    expect(given(decider, created).when(create)).toEqual([]);
  });

  it('that is created without a description and a bound has none', () => {
    const { description: _, maxPerSecond: __, ...endpoint } = created.data;
    expect(given(decider).when({ ...create, endpoint })).toEqual([created]);
  });

  it('has the settings changed that differ, and no others', () => {
    const changes = { url: 'https://new.example/', accept: '2xx', maxPerSecond: 5 } as const;
    const changed = {
      type: 'webhook_endpoint.changed.v1',
      data: { url: 'https://new.example/', maxPerSecond: 5, changedAt: T1 },
    } as const;
    const changing = { kind: 'ChangeWebhookEndpoint', changes, now: T1 } as const;
    expect(given(decider, created).when(changing)).toEqual([changed]);
    const after = given(decider, created, changed);
    expect(after.state).toEqual({ ...given(decider, created).state, ...changed.data });
    expect(after.when(changing)).toEqual([]);
  });

  it.each([change, disable, enable, rotate('new'), reseal, test, resend, remove])(
    'that is deleted, or never was, is not found: $kind',
    (command) => {
      const code = 'webhook_endpoint/not_found';
      expect(given(decider).when(command)).toBe(code);
      expect(given(decider, created, deleted).when(command)).toBe(code);
    },
  );

  it('that is deleted is gone for good', () => {
    expect(given(decider, created).when(remove)).toEqual([deleted]);
    const gone = given(decider, created, deleted, enabled, disabledFor('gone'));
    expect(gone.state.status).toBe('deleted');
    expect(gone.when(create)).toEqual([]);
  });
});

describe('disabling and enabling', () => {
  it('is done once', () => {
    expect(given(decider, created).when(enable)).toEqual([]);
    expect(given(decider, created).when(disable)).toEqual([disabledFor('operator')]);
    const after = given(decider, created, disabledFor('failing'));
    expect(after.state).toMatchObject({
      ...{ status: 'disabled', disabled: { reason: 'failing', disabledAt: T0 } },
    });
    expect(after.when(disable)).toEqual([]);
    expect(after.when(enable)).toEqual([enabled]);
    const again = given(decider, created, disabledFor('failing'), enabled);
    expect(again.state).toMatchObject({ status: 'enabled', disabled: null, enabledAt: T1 });
  });

  it.each(['gone', 'failing'] as const)('for %s is of the endpoint that was seen', (reason) => {
    const { url, createdAt: enabledAt } = created.data;
    const command = { ...disable, reason, seen: { url, enabledAt } };
    expect(given(decider, created).when(command)).toEqual([disabledFor(reason)]);
    const enabledAgain = [created, disabledFor('gone'), enabled];
    expect(given(decider, ...enabledAgain).when(command)).toEqual([]);
    const elsewhere: WebhookEndpointEvent = {
      type: 'webhook_endpoint.changed.v1',
      data: { url: 'https://new.example/', changedAt: T0 },
    };
    expect(given(decider, created, elsewhere).when(command)).toEqual([]);
  });

  it('one that is disabled is sent no test and nothing again', () => {
    const held = given(decider, created, disabledFor('operator'));
    expect(held.when(test)).toBe('webhook_endpoint/disabled');
    expect(held.when(resend)).toBe('webhook_endpoint/disabled');
  });
});

describe('the secrets of an endpoint', () => {
  const rotated = (
    sealedSecret: string,
    rotatedAt: string,
    oldExpiresAt: string,
    useFrom = rotatedAt,
  ) =>
    ({
      type: 'webhook_endpoint.secret_rotated.v1',
      data: { sealedSecret, rotatedAt, useFrom, oldExpiresAt },
    }) as const;
  const secretsAfter = (...events: WebhookEndpointEvent[]) => {
    const { state } = given(decider, created, ...events);
    return state.status === 'none'
      ? []
      : state.secrets.map(({ sealed, expiresAt }) => [sealed, expiresAt]);
  };

  it('are the newest, and the former ones for a while', () => {
    expect(given(decider, created).when(rotate('new'))).toEqual([rotated('new', T0, T1)]);
    expect(secretsAfter(rotated('new', T0, T1))).toEqual([
      ['new', null],
      ['sealed', T1],
    ]);
  });

  it('end all at once where no time is given', () => {
    expect(given(decider, created).when(rotate('new', T0, 0))).toEqual([rotated('new', T0, T0)]);
    expect(secretsAfter(rotated('second', T0, T1), rotated('new', T0, T0))).toEqual([
      ['new', null],
    ]);
  });

  it('never outlive what was said last, nor what was said first', () => {
    const early = '2027-01-31T10:30:00.000Z';
    expect(secretsAfter(rotated('second', T0, T1), rotated('new', T0, early))).toEqual([
      ['new', null],
      ['second', early],
      ['sealed', early],
    ]);
    expect(secretsAfter(rotated('second', T0, early), rotated('new', T0, T1))).toEqual([
      ['new', null],
      ['second', T1],
      ['sealed', early],
    ]);
  });

  it('are not made before the one that they follow, by a clock that is behind', () => {
    const after = given(decider, created, rotated('new', T1, T1));
    expect(after.when(rotate('newer', T0, 0))).toEqual([rotated('newer', T1, T1)]);
  });

  it('sign in the order in which receivers that look at one signature alone want them', () => {
    const useFrom = '2027-01-31T10:20:00.000Z';
    const { state } = given(decider, created, rotated('new', T0, T1, useFrom));
    if (state.status === 'none') throw new Error('no endpoint');
    const signing = (now: string) => signingSecrets(state.secrets, now).map(({ sealed }) => sealed);
    expect(signing(T0)).toEqual(['sealed', 'new']);
    expect(signing('2027-01-31T10:19:59.999Z')).toEqual(['sealed', 'new']);
    expect(signing(useFrom)).toEqual(['new', 'sealed']);
    expect(signing(T1)).toEqual(['new']);
  });

  it('are used from a moment on that is not after the end of the former ones', () => {
    const rotation = { ...rotate('new'), useFrom: T1 } as const;
    expect(given(decider, created).when(rotation)).toEqual([rotated('new', T0, T1, T1)]);
    const late = { ...rotation, useFrom: '2027-01-31T11:00:00.001Z' } as const;
    expect(given(decider, created).when(late)).toBe('webhook_endpoint/used_too_late');
    const past = { ...rotation, useFrom: '2026-01-01T00:00:00.000Z' } as const;
    expect(given(decider, created).when(past)).toEqual([rotated('new', T0, T1)]);
  });

  it('are bounded in number while they are valid', () => {
    const rotations = Array.from({ length: MAX_VALID_SECRETS - 1 }, (_, index) =>
      rotated(`secret-${index}`, T0, T1),
    );
    const full = given(decider, created, ...rotations);
    expect(full.when(rotate('new'))).toBe('webhook_endpoint/too_many_secrets');
    expect(full.when(rotate('new', T1))).toHaveLength(1);
    expect(full.when(rotate('new', T0, 0))).toHaveLength(1);
    expect(given(decider, created, ...rotations.slice(1)).when(rotate('new'))).toHaveLength(1);
  });

  it('are sealed anew, each in place of the one that it was', () => {
    const twice = [created, rotated('new', T0, T1)];
    const resealed = {
      type: 'webhook_endpoint.secret_resealed.v2',
      data: { sealedSecrets: ['new', 'anew'] },
    } as const;
    expect(given(decider, ...twice).when(reseal)).toEqual([resealed]);
    expect(secretsAfter(rotated('new', T0, T1), resealed)).toEqual([
      ['new', null],
      ['anew', T1],
    ]);
    expect(given(decider, ...twice, resealed).when(reseal)).toEqual([]);
  });
});

describe('what is asked to be sent', () => {
  it('is a test, which changes nothing', () => {
    const requested: WebhookEndpointEvent = {
      type: 'webhook_endpoint.test_requested.v1',
      data: { testId: 'tst_1', eventType: 'payment.failed', requestedAt: T0 },
    };
    expect(given(decider, created).when(test)).toEqual([requested]);
    expect(given(decider, created, requested).state).toEqual(given(decider, created).state);
  });

  it('is a message again, which changes nothing', () => {
    const requested: WebhookEndpointEvent = {
      type: 'webhook_endpoint.resend_requested.v1',
      data: { ...one, requestedAt: T1 },
    };
    expect(given(decider, created).when(resend)).toEqual([requested]);
    expect(given(decider, created, requested).state).toEqual(given(decider, created).state);
  });

  it('are messages again, so many to an event as have room whenever the store is read again', () => {
    const messages = Array.from({ length: MAX_RESENT_MESSAGES + 1 }, (_, n) => name(n));
    const type = 'webhook_endpoint.resend_requested.v1';
    const [first, last] = [messages.slice(0, -1), messages.slice(-1)];
    const asked = (restAfter: string | null) =>
      given(decider, created).when({ ...resend, resend: { messages, restAfter } });
    for (const restAfter of [null, '00000000000000000042']) {
      expect(asked(restAfter)).toEqual([
        { type, data: { messages: first, restAfter: null, requestedAt: T1 } },
        { type, data: { messages: last, restAfter, requestedAt: T1 } },
      ]);
    }
  });

  it('are none, which is worth an event where more is to be looked for', () => {
    const none = { messages: [], restAfter: null };
    expect(given(decider, created).when({ ...resend, resend: none })).toEqual([]);
    const more = { ...none, restAfter: '00000000000000000042' };
    const type = 'webhook_endpoint.resend_requested.v1';
    const requested = [{ type, data: { ...more, requestedAt: T1 } }];
    expect(given(decider, created).when({ ...resend, resend: more })).toEqual(requested);
  });
});

it('an endpoint that was stored as `.v1` has no description and no bound', () => {
  const { description: _, maxPerSecond: __, ...former } = created.data;
  const [{ upcast } = { upcast: (data: unknown) => data }] = WEBHOOK_ENDPOINT_UPCASTERS;
  expect(upcast(former)).toEqual({ ...former, description: '', maxPerSecond: null });
});
