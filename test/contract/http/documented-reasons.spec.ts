import { describe, expect, it } from 'vitest';
import { requireDocumentedReason } from '../../support/documented-reasons.js';

const cancel = '/sdk/subscriptions/sub_1/cancel';

/** The rules that every end-to-end test holds refusals to (decision 0018). */
describe('a refusal', () => {
  it.each([
    ['POST', cancel, 400, 'SUBSCRIPTION_EXPIRED'],
    ['POST', `${cancel}?x=1`, 400, 'INVALID_FIELDS'],
    ['GET', '/sdk/plans/code/gold', 404, 'PLAN_NOT_FOUND'],
    ['GET', '/sdk/plans', 503, 'UNAVAILABLE'],
    ['GET', '/no/such/path', 404, 'PATH_NOT_FOUND'],
    ['GET', cancel, 405, 'METHOD_NOT_ALLOWED'],
    ['POST', '/checkout/cl_1/complete', 400, 'PAYMENT_DECLINED'],
    ['POST', '/shop/cart/items/sword', 403, 'FORM_NOT_OF_SESSION'],
    ['GET', '/shop/cart', 401, 'NO_SESSION'],
  ])('of %s %s with %i %s is documented', (method, address, status, reason) => {
    expect(() => requireDocumentedReason(method, address, { status, reason })).not.toThrow();
  });

  it.each([
    ['POST', cancel, 400, 'PLAN_UNCHANGED'],
    ['POST', cancel, 409, 'SUBSCRIPTION_EXPIRED'],
    ['GET', '/sdk/plans', 409, 'CONCURRENT_CHANGE'],
    ['POST', cancel, 418, 'TEAPOT'],
    ['POST', '/checkout/cl_1/complete', 400, 'CART_EMPTY'],
    ['GET', '/shop/cart', 403, 'FORM_NOT_OF_SESSION'],
  ])('of %s %s with %i %s is none that the document has', (method, address, status, reason) => {
    expect(() => requireDocumentedReason(method, address, { status, reason })).toThrow(reason);
  });
});
