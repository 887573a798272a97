import { describe, expect, it } from '@jest/globals';
import { EgressConnections } from '#egress';
import { wallClock } from '#platform';
import { DeliveryFailed, send } from './send.js';

it('the reason of a failure is short, however much text of a receiver is in it', () => {
  // As the client says it of a certificate for thousands of other names.
  const failed = new DeliveryFailed(`the names do not match: ${'DNS:example.com, '.repeat(5_000)}`);
  expect(failed.message).toHaveLength(200);
  expect(failed.message).toMatch(/^the names do not match: DNS:.*…$/);
  expect(failed.code).toBe('status');
});

describe('an attempt at an address that is refused as it is written', () => {
  it.each([
    ['https://127.0.0.1/', 'it leads to an address that is not public'],
    ['http://receiver.example/', 'its scheme is not https'],
    ['https://receiver.example:25/', 'its port is none that webhooks may go to'],
  ])('asks no resolver: %s', async (url, reason) => {
    const attempting = send({
      ...{ endpointId: 'whe_1', url, rules: { allowInsecure: false, ports: [[443, 443]] } },
      ...{ headers: {}, body: '{}', accept: '2xx', clock: wallClock },
      ...{ connections: new EgressConnections(), signal: new AbortController().signal },
    });
    await expect(attempting).rejects.toMatchObject({
      ...{ code: 'forbidden_address', message: `the address is refused: ${reason}` },
    });
  });
});
