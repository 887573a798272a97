import { describe, expect, it } from 'vitest';
import { checkTarget } from './target.js';

const strict = { allowInsecure: false };
const lax = { allowInsecure: true };
const isAllowed = (url: string, rules = strict) => checkTarget(url, rules).ok;

describe('the address of a target', () => {
  it.each([
    'https://example.com/hook',
    'https://example.com:8443/hook?a=b',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
    'https://100.63.255.255/',
    'https://172.32.0.1/',
  ])('may be public: %s', (url) => expect(isAllowed(url)).toBe(true));

  it.each([
    // Every range, and every notation of its addresses, is in special-purpose.spec.ts.
    ['loopback', 'https://127.0.0.1/'],
    ['full-width digits', 'https://１２７.0.0.1/'],
    ['percent-encoded', 'https://%31%32%37.0.0.1/'],
    ['this host, shortened', 'https://0/'],
    ['metadata of Azure', 'https://168.63.129.16/'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['v4-mapped, public inside', 'https://[::ffff:93.184.216.34]/'],
    ['a name of this machine', 'https://localhost/'],
    ['the same with a dot', 'https://localhost./'],
    ['below it', 'https://api.localhost/'],
  ])('is refused as %s', (_, url) => expect(isAllowed(url)).toBe(false));

  it.each([
    ['http://example.com/', 'its scheme is not https'],
    ['ftp://example.com/', 'its scheme is not https'],
    ['file:///etc/passwd', 'its scheme is not https'],
    ['https://user:secret@example.com/', 'it contains credentials'],
    ['https://user@example.com/', 'it contains credentials'],
    ['https://[fe80::1%25eth0]/', 'it is not a URL'],
    ['example.com', 'it is not a URL'],
    ['https:example.com/', 'it is not a URL'],
    ['https:/example.com/', 'it is not a URL'],
    ['https:\\\\example.com/', 'it is not a URL'],
    ['', 'it is not a URL'],
    ['https://example.com/\r\nx: y', 'it contains white space or control characters'],
    ['https://exa\tmple.com/', 'it contains white space or control characters'],
    [' https://example.com/', 'it contains white space or control characters'],
    ['https://example.com/\u0085', 'it contains white space or control characters'],
  ])('says why %s is refused', (url, reason) => {
    expect(checkTarget(url, strict)).toEqual({ ok: false, reason });
  });

  it('may be http and loopback where a test app is allowed that, and nothing more', () => {
    expect(isAllowed('http://127.0.0.1:8080/hook', lax)).toBe(true);
    expect(isAllowed('http://localhost:8080/hook', lax)).toBe(true);
    expect(isAllowed('http://[::1]:8080/hook', lax)).toBe(true);
    expect(isAllowed('https://127.0.0.1:8443/hook', lax)).toBe(true);
    expect(isAllowed('https://10.0.0.1/', lax)).toBe(false);
    expect(isAllowed('https://169.254.169.254/', lax)).toBe(false);
    expect(isAllowed('https://[::ffff:127.0.0.1]/', lax)).toBe(false);
    expect(isAllowed('https://example.com/', lax)).toBe(true);
    expect(isAllowed('ftp://localhost/', lax)).toBe(false);
    expect(isAllowed('http://user:secret@localhost/', lax)).toBe(false);
  });

  it.each([
    'http://example.com/',
    'http://93.184.216.34/',
    'http://10.0.0.1/',
    'http://169.254.169.254/',
    'http://0.0.0.0/',
    'http://[::ffff:127.0.0.1]/',
    'http://[2606:2800:220:1:248:1893:25c8:1946]/',
    'http://localhost.example.com/',
  ])('over http never leads beyond this machine: %s', (url) => {
    const reason = 'it is http, and leads beyond this machine';
    expect(checkTarget(url, lax)).toEqual({ ok: false, reason });
  });
});
