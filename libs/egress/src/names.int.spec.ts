import { afterEach, describe, expect, it } from 'vitest';
import { type DnsServer, startDnsServer } from '../../../test/support/dns-server.js';
import {
  type MisbehavingReceiver,
  startMisbehavingReceiver,
} from '../../../test/support/misbehaving-receiver.js';
import { EgressConnections } from './connections.js';
import { createConnect } from './connector.js';
import { createLookUp } from './names.js';
import { post } from './request.js';

const PUBLIC = '93.184.216.34';

describe('a name that leads elsewhere', () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  const serve = async (answer: (name: string) => readonly string[] | null): Promise<DnsServer> => {
    const server = await startDnsServer(answer);
    closing.push(() => server.close());
    return server;
  };

  const receive = async (): Promise<MisbehavingReceiver> => {
    const receiver = await startMisbehavingReceiver();
    closing.push(() => receiver.close());
    return receiver;
  };

  /** Posts by that server's names; `localhost` is loopback whatever it says, so that other names are used. */
  const connect = (dns: DnsServer) => {
    const connections = new EgressConnections({ lookUp: createLookUp([dns.address]) });
    closing.push(() => connections.close());
    return (url: string, allowInsecure = false) =>
      post(connections, {
        ...{ owner: 'whe_1', url, rules: { allowInsecure }, headers: {}, body: '{}' },
        ...{ answerLimitBytes: 100, signal: AbortSignal.timeout(2_000) },
      });
  };

  it.each([
    ['to this machine', ['127.0.0.1']],
    ['to a public address and to this machine', [PUBLIC, '127.0.0.1']],
    ['to a public address and to a private one of v6', [PUBLIC, 'fd00::1']],
    ['to a mapped address', ['::ffff:93.184.216.34']],
    ['to metadata', ['169.254.169.254']],
  ])('%s is refused before anything is connected', async (_, addresses) => {
    const receiver = await receive();
    const dns = await serve(() => addresses);
    const calling = connect(dns)(`https://rebinding.example:${receiver.port}/ok`);
    await expect(calling).rejects.toMatchObject({ code: 'forbidden_address' });
    expect(dns.asked.toSorted()).toEqual(['A rebinding.example', 'AAAA rebinding.example']);
    expect(receiver.countConnections()).toBe(0);
  });

  it('differently the second time gains nothing: what was checked is what is connected', async () => {
    const receiver = await receive();
    const answers = [[PUBLIC], ['127.0.0.1']];
    const dns = await serve(() => answers[dns.asked.length > 2 ? 1 : 0] ?? []);
    const url = `https://rebinding.example:${receiver.port}/ok`;
    const lookUp = createLookUp([dns.address]);
    const rules = { allowInsecure: false };
    const target = {
      hostname: 'rebinding.example',
      protocol: 'https:',
      port: String(receiver.port),
    };
    // The first time it leads to an address that does not answer here; no other one is looked for.
    const connecting = createConnect(rules, { lookUp })(target, AbortSignal.timeout(100));
    await expect(connecting).rejects.not.toMatchObject({ code: 'ERR_FORBIDDEN_TARGET' });
    expect(dns.asked).toHaveLength(2);
    await expect(connect(dns)(url)).rejects.toMatchObject({ code: 'forbidden_address' });
    expect(receiver.countConnections()).toBe(0);
  });

  it('after it was checked is seen at the socket, before anything is sent', async () => {
    const receiver = await receive();
    let reads = 0;
    // As if the system connected elsewhere than it was asked to.
    const changing = {
      ...{ family: 4 as const },
      get address() {
        reads += 1;
        return reads <= 2 ? PUBLIC : '127.0.0.1';
      },
    };
    const connect = createConnect({ allowInsecure: false }, { lookUp: async () => [changing] });
    const target = { hostname: 'a.example', protocol: 'https:', port: String(receiver.port) };
    await expect(connect(target, AbortSignal.timeout(1_000))).rejects.toMatchObject({
      code: 'ERR_FORBIDDEN_TARGET',
    });
    expect(receiver.countConnections()).toBe(1);
    expect(receiver.asked).toEqual([]);
  });

  it('to loopback is reached where that is allowed, and a public one is not over http', async () => {
    const receiver = await receive();
    const dns = await serve(() => ['127.0.0.1']);
    const calling = connect(dns);
    await expect(calling(`http://name.example:${receiver.port}/ok`, true)).resolves.toMatchObject({
      status: 200,
      remoteAddress: '127.0.0.1',
    });
    const elsewhere = await serve(() => [PUBLIC]);
    const plain = connect(elsewhere)(`http://name.example:${receiver.port}/ok`, true);
    await expect(plain).rejects.toMatchObject({ code: 'forbidden_address' });
  });

  it('nowhere fails as dns, and one that no server answers for when the time is up', async () => {
    const nowhere = connect(await serve(() => []));
    await expect(nowhere('https://no.example/')).rejects.toMatchObject({ code: 'dns' });
    const dns = await serve(() => null);
    const startedAt = performance.now();
    const lookUp = createLookUp([dns.address]);
    await expect(lookUp('hangs.example', AbortSignal.timeout(50))).rejects.toThrow();
    expect(performance.now() - startedAt).toBeLessThan(900);
  });

  it.each(['localhost', 'api.localhost', 'localhost.'])(
    'as %s does is asked of no server',
    async (name) => {
      const dns = await serve(() => [PUBLIC]);
      const found = await createLookUp([dns.address])(name, new AbortController().signal);
      expect(found.map(({ address }) => address)).toEqual(['127.0.0.1', '::1']);
      expect(dns.asked).toEqual([]);
    },
  );
});
