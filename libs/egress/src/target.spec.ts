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
    ['loopback', 'https://127.0.0.1/'],
    ['loopback, elsewhere in its block', 'https://127.8.9.10/'],
    ['decimal', 'https://2130706433/'],
    ['octal', 'https://0177.0.0.1/'],
    ['hexadecimal', 'https://0x7f.0.0.1/'],
    ['hexadecimal in one', 'https://0x7f000001/'],
    ['shortened', 'https://127.1/'],
    ['full-width digits', 'https://１２７.0.0.1/'],
    ['percent-encoded', 'https://%31%32%37.0.0.1/'],
    ['this host', 'https://0.0.0.0/'],
    ['this host, shortened', 'https://0/'],
    ['private 10', 'https://10.0.0.1/'],
    ['private 172.16', 'https://172.16.0.1/'],
    ['private 192.168', 'https://192.168.1.1/'],
    ['CGNAT', 'https://100.64.0.1/'],
    ['metadata', 'https://169.254.169.254/latest/meta-data/'],
    ['metadata of Alibaba', 'https://100.100.100.200/'],
    ['metadata of Azure', 'https://168.63.129.16/'],
    ['metadata of Oracle', 'https://192.0.0.192/'],
    ['multicast', 'https://224.0.0.1/'],
    ['broadcast', 'https://255.255.255.255/'],
    ['benchmarking', 'https://198.18.0.1/'],
    ['documentation', 'https://203.0.113.7/'],
    ['future use', 'https://240.0.0.1/'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['IPv6 unspecified', 'https://[::]/'],
    ['v4-mapped', 'https://[::ffff:127.0.0.1]/'],
    ['v4-mapped, public inside', 'https://[::ffff:93.184.216.34]/'],
    ['v4-compatible', 'https://[::127.0.0.1]/'],
    ['v4-translated', 'https://[::ffff:0:127.0.0.1]/'],
    ['NAT64', 'https://[64:ff9b::7f00:1]/'],
    ['local NAT64', 'https://[64:ff9b:1::7f00:1]/'],
    ['6to4', 'https://[2002:7f00:1::]/'],
    ['Teredo', 'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/'],
    ['unique local', 'https://[fd00:ec2::254]/'],
    ['link-local', 'https://[fe80::1]/'],
    ['site-local', 'https://[fec0::1]/'],
    ['IPv6 multicast', 'https://[ff02::1]/'],
    ['IPv6 documentation', 'https://[2001:db8::1]/'],
    ['IPv6 beyond global unicast', 'https://[4000::1]/'],
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
