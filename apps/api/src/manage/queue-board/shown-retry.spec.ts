import { expect, it } from 'vitest';
import { showRetry } from './queue-board.js';

it('of a retry, ids, times and the reason are shown, and nothing that stands beside them', () => {
  const shown = { endpointId: 'whe_1', messageId: 'msg_1', firstFailedAtMs: 3, reason: 'timeout' };
  expect(showRetry({ ...shown, body: '{"id":"pay_1"}', secret: 'whsec_1' })).toEqual(shown);
  expect(showRetry(undefined)).toEqual({});
});
