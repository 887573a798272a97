import { describe, expect, it } from 'vitest';
import { createUnconnectedStorefront } from '../storefront/unconnected-storefront.js';
import { describeDocument } from './document-checks.js';
import { createUnconnectedApi } from './unconnected-api.js';

/** Routes beside the API: pages, their files, and those for operations. */
const NOT_DOCUMENTED = [
  // Its requests are each gateway's own.
  '/gateways/:kind/:appId/notices',
  // A page for operators' browsers (rules/operators).
  '/manage/queues',
  '/manage/queues/*',
  // Its path has several parts, which OpenAPI cannot describe.
  '/seal/tile/*',
  '/',
  '/docs',
  '/docs/',
  '/docs/*',
  '/docs/LICENSE',
  '/docs/docs/swagger-ui-init.js',
  '/docs/index.html',
  '/docs/swagger-ui-init.js',
  '/healthz',
  '/metrics',
  '/openapi.json',
  '/readyz',
];

const api = describeDocument('the OpenAPI document of the API', {
  create: createUnconnectedApi,
  notDocumented: NOT_DOCUMENTED,
  takesNoCredentials: () => false,
});

/** Of the storefront: pages, their files, and the forms and redirects of pages alone (rules/storefront 11). */
const OF_PAGES = [
  'GET /checkout/:linkId',
  '/checkout/:linkId/card',
  'GET /checkout/:linkId/challenge/:paymentId',
  '/checkout/:linkId/opened',
  '/checkout/:linkId/pay',
  '/shop/signed-out',
  '/assets/accent/:file',
  '/openapi.json',
];

const storefront = describeDocument('the OpenAPI document of the storefront', {
  create: createUnconnectedStorefront,
  notDocumented: OF_PAGES,
  // The address of a link is all that it takes.
  takesNoCredentials: (name) => / \/(checkout|shop\/enter)\//.test(name),
});

/** The reads whose pages come from a read model: another version of it may have another order (rules/api 16). */
const LISTS_OF_DOCUMENTS = [
  'GET /manage/apps',
  'GET /manage/apps/{appId}/currency-changes',
  'GET /manage/apps/{appId}/plans',
  'GET /manage/webhook-status',
  'GET /sdk/subscriptions',
  'GET /sdk/subscriptions/{id}/payments',
];

/** Of calls that show a secret, and take a key once. */
const SHOWN_ONCE = ['CONCURRENT_CHANGE', 'IDEMPOTENCY_KEY_REUSED', 'SECRET_SHOWN_ALREADY'];

describe('the document of the API', () => {
  it('says which reasons an operation can give, and no others (decision 0018)', () => {
    const cancel = api.find('POST /sdk/subscriptions/{id}/cancel');
    expect(api.reasonsIn(cancel, '400')).toEqual(
      expect.arrayContaining(['INVALID_FIELDS', 'SUBSCRIPTION_EXPIRED']),
    );
    // The same stream decides on these, for other commands.
    for (const other of ['PLAN_UNCHANGED', 'SUBSCRIPTION_NOT_CANCELED', 'CHARGE_PENDING']) {
      expect(api.reasonsIn(cancel, '400')).not.toContain(other);
    }
    expect(api.reasonsIn(cancel, '404')).toEqual(['SUBSCRIPTION_NOT_FOUND']);
    expect(api.reasonsIn(cancel, '412')).toEqual(['REVISION_MISMATCH']);
    expect(api.reasonsIn(cancel, '409')).toContain('IDEMPOTENCY_KEY_REUSED');
    const reactivate = api.find('POST /sdk/subscriptions/{id}/reactivate');
    expect(api.reasonsIn(reactivate, '400')).toContain('SUBSCRIPTION_NOT_CANCELED');
  });

  it('refuses no read as a change is refused, and no player as an operator is', () => {
    for (const { name, operation } of api.operations) {
      const isRead = name.startsWith('GET ');
      const ofReads = LISTS_OF_DOCUMENTS.includes(name) ? ['LIST_ORDER_CHANGED'] : [];
      const conflicts = api.reasonsIn(operation, '409');
      expect([name, isRead ? conflicts : conflicts.length > 0]).toEqual([
        name,
        isRead ? ofReads : true,
      ]);
      expect([name, '412' in operation.responses && isRead]).toEqual([name, false]);
      const isOfOperators = / \/(manage|seal)\//.test(name);
      const needsRole = api.reasonsIn(operation, '403').includes('ROLE_NOT_SUFFICIENT');
      expect([name, needsRole]).toEqual([name, isOfOperators]);
      const mayHaveNoApp = api.reasonsIn(operation, '404').includes('APP_NOT_FOUND');
      expect([name, mayHaveNoApp]).toEqual([name, name.includes('{appId}')]);
      const needsAllApps = api.reasonsIn(operation, '403').includes('SCOPE_NOT_SUFFICIENT');
      const ofAllApps =
        ['POST /manage/apps', 'PATCH /manage/apps/{appId}'].includes(name) ||
        / \/(manage\/projections|seal\/)/.test(name);
      expect([name, needsAllApps]).toEqual([name, ofAllApps]);
    }
  });

  it.each([
    ['POST /manage/apps', '409', SHOWN_ONCE],
    ['POST /manage/apps/{appId}/ingress-secrets', '409', SHOWN_ONCE],
    ['POST /manage/apps/{appId}/ingress-secrets', '412', ['REVISION_MISMATCH']],
    ['POST /manage/apps/{appId}/webhook-endpoints', '412', []],
    ['POST /manage/apps/{appId}/sandbox/disputes', '401', ['UNAUTHENTICATED']],
    [
      'POST /manage/apps/{appId}/sandbox/disputes/{id}/close',
      ...(['404', ['APP_NOT_FOUND', 'DISPUTE_NOT_FOUND', 'PAYMENT_NOT_FOUND']] as const),
    ],
    [
      'POST /sdk/subscriptions/checkout-links',
      ...(['409', ['CONCURRENT_CHANGE', 'IDEMPOTENCY_KEY_REUSED']] as const),
    ],
    ['POST /sdk/server/payments/{id}/refunds', '404', ['PAYMENT_NOT_FOUND']],
    ['POST /sdk/server/payments/{id}/refunds', '429', ['RATE_LIMITED']],
  ])('has no reason for %s with %s but what it can give', (name, status, reasons) => {
    expect(api.reasonsIn(api.find(name), status)).toEqual(reasons);
  });

  it('has amounts as int64 in strings, and no required body of which all fields may be left out', () => {
    const { PaymentDto } = api.document.components?.schemas ?? {};
    expect(PaymentDto).toMatchObject({
      properties: { amountCents: { type: 'string', format: 'int64' } },
    });
    const cancel = api.document.paths['/sdk/subscriptions/{id}/cancel']?.post;
    expect(cancel?.requestBody).toMatchObject({ required: false });
    const create = api.document.paths['/manage/apps']?.post;
    expect(create?.requestBody).toMatchObject({ required: true });
  });
});

describe('the document of the storefront', () => {
  it('says which reasons a call can give, and those of its session and forms where it has them', () => {
    const complete = storefront.find('POST /checkout/{linkId}/complete');
    expect(storefront.reasonsIn(complete, '400')).toEqual(
      expect.arrayContaining(['INVALID_FIELDS', 'PAYMENT_DECLINED', 'CHECKOUT_LINK_EXPIRED']),
    );
    expect(storefront.reasonsIn(complete, '404')).toContain('CHECKOUT_LINK_NOT_FOUND');
    for (const { name, operation } of storefront.operations) {
      const [isOfSession, isChange] = [operation.security?.length === 1, name.startsWith('POST ')];
      const noSession = storefront.reasonsIn(operation, '401').includes('NO_SESSION');
      expect([name, noSession]).toEqual([name, isOfSession]);
      const forged = storefront.reasonsIn(operation, '403').includes('FORM_NOT_OF_SESSION');
      expect([name, forged]).toEqual([name, isOfSession && isChange]);
    }
    expect(storefront.reasonsIn(storefront.find('GET /shop'), '404')).toEqual([]);
    const buy = storefront.find('POST /shop/items/{itemId}/buy');
    for (const ofCarts of [
      'CART_EMPTY',
      'PAYMENT_PENDING',
      'ORDER_PAID',
      'CHECKOUT_LINK_EXPIRED',
    ]) {
      expect(storefront.reasonsIn(buy, '400')).not.toContain(ofCarts);
    }
    const enter = storefront.find('POST /shop/enter/{token}');
    const conflicts = ['409', '412', '429'].flatMap((at) => storefront.reasonsIn(enter, at));
    expect(conflicts).toEqual(['CONCURRENT_CHANGE']);
    const add = storefront.find('POST /shop/cart/items');
    expect(storefront.reasonsIn(add, '400')).toContain('QUANTITY_EXCEEDED');
    expect(storefront.reasonsIn(add, '400')).not.toContain('CART_CHANGED');
  });
});
