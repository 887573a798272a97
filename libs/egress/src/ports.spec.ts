import { describe, expect, it } from 'vitest';
import { DEFAULT_PORTS, isAllowedPort, parsePorts } from './address.js';
import { checkTarget } from './target.js';

describe('the ports that webhooks may go to', () => {
  it.each(['https://a.example/', 'https://a.example:8443/', 'https://a.example:1024/'])(
    'are by default that of https and all above 1023: %s',
    (url) => expect(isAllowedPort(new URL(url), DEFAULT_PORTS)).toBe(true),
  );

  it.each([1, 22, 80, 25, 53, 389, 445, 993, 1023])('are not by default: %i', (port) => {
    const rules = { allowInsecure: false, ports: DEFAULT_PORTS };
    expect(checkTarget(`https://a.example:${port}/`, rules)).toEqual({
      ok: false,
      reason: 'its port is none that webhooks may go to',
    });
    expect(checkTarget(`https://a.example:${port}/`, { allowInsecure: false }).ok).toBe(true);
  });

  it('are those of a setting, and no others', () => {
    const ports = parsePorts('443, 8000-8999');
    expect(ports).toEqual([
      [443, 443],
      [8000, 8999],
    ]);
    const allowed = [443, 7999, 8000, 8999, 9000].map((port) =>
      isAllowedPort(new URL(`https://a.example:${port}/`), ports),
    );
    expect(allowed).toEqual([true, false, true, true, false]);
  });

  it('are no concern of http, which does not leave the machine', () => {
    const rules = { allowInsecure: true, ports: DEFAULT_PORTS };
    expect(checkTarget('http://localhost/hook', rules).ok).toBe(true);
    expect(checkTarget('https://localhost:80/hook', rules).ok).toBe(false);
  });

  it.each(['', 'all', '0', '443,', '70000', '9-8', '1-2-3', '-1'])('are refused as %j', (text) => {
    expect(() => parsePorts(text)).toThrow('must be ports and ranges of them, 1 to 65535');
  });
});
