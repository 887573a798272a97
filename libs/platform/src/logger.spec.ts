import { describe, expect, it } from 'vitest';
import { Fault } from './fault.js';
import { createLogger } from './logger.js';

function logged(fields: object): string {
  let text = '';
  const log = createLogger('test', { destination: { write: (line) => void (text += line) } });
  log.info(fields, 'said');
  return text;
}

describe('a logger', () => {
  it('writes one JSON object a line', () => {
    expect(JSON.parse(logged({ part: 'api' }))).toMatchObject({ msg: 'said', part: 'api' });
  });

  it('tells of a failure of the world in a short line, and of a defect with its stack', () => {
    const cause = new Error('x'.repeat(5_000));
    const fault = new Fault('unavailable', `far away: ${cause.message}`, {
      retryable: true,
      cause,
    });
    expect(logged({ err: fault }).length).toBeLessThan(300);
    expect(logged({ err: new Error('we were wrong') })).toContain('logger.spec');
  });

  it.each([
    [{ authorization: 'hush' }],
    [{ req: { headers: { authorization: 'hush', 'x-service-hmac-signature': 'hush' } } }],
    [{ endpoint: { secret: 'hush' } }],
    [{ app: { endpoint: { 'webhook-signature': 'hush' } } }],
    [{ apiKey: 'hush', token: 'hush' }],
  ])('blanks secrets: %j', (fields) => {
    expect(logged(fields)).not.toContain('hush');
    expect(logged(fields)).toContain('[Redacted]');
  });

  it('masks the ids of checkout links, wherever they stand', () => {
    const id = 'cl_01kpb7q2zd0123456789abcdef';
    const err = new Error(`the stream checkout_link-${id} is gone`);
    const text = logged({ err, path: `/checkout/${id}/complete`, job: { id: `outcome:${id}:1` } });
    expect(text).not.toContain('0123456789abcdef');
    expect(text.match(/cl_01kpb7q2zd\.\.\./g)?.length).toBeGreaterThanOrEqual(4);
    expect(JSON.parse(text)).toMatchObject({ path: '/checkout/cl_01kpb7q2zd.../complete' });
  });

  it.each([
    ['a line break', '\n'],
    ['a tab', '\t'],
    ['an encoded slash', '/checkout%2F'],
    ['a joined name', 'checkout_link_'],
    ['another id', 'cl_01kpb7q2zd0123456789abcdef'],
  ])('masks the id of a checkout link also after %s', (_, before) => {
    expect(logged({ text: `${before}cl_01kpb7q2zd0123456789abcdef` })).not.toContain('0123456789');
  });
});
