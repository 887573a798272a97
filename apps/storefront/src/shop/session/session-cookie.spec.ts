import { describe, expect, it } from 'vitest';
import { SessionCookie } from './session-cookie.js';

/** rules/webshop 1 */
describe('the cookie of a session', () => {
  it('is read by its name among others', () => {
    const cookie = new SessionCookie('http://127.0.0.1:8081');
    const read = (header?: string) => cookie.read({ headers: header ? { cookie: header } : {} });
    expect(read('a=1; shop=x.y.z=; b=2')).toBe('x.y.z=');
    expect(read('a=1; myshop=x; __Host-shop=y')).toBeUndefined();
    expect(read()).toBeUndefined();
  });

  it('lasts half a day, is read by no script, and goes by https alone where the shop does', () => {
    const open = new SessionCookie('http://127.0.0.1:8081').write('x')['set-cookie'];
    expect(open).toBe('shop=x; Max-Age=43200; Path=/; HttpOnly; SameSite=Lax');
    const secure = new SessionCookie('https://pay.example.com');
    expect(secure.write('x')['set-cookie']).toBe(
      '__Host-shop=x; Max-Age=43200; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
    expect(secure.clear()['set-cookie']).toMatch(
      /^__Host-shop=; Max-Age=0; .*; Secure; SameSite=Lax$/,
    );
  });
});
