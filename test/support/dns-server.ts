import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A DNS server that a test answers for. */
export interface DnsServer {
  /** `address:port`, as `Resolver.setServers` takes it. */
  readonly address: string;
  /** Its questions, `A name` or `AAAA name`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const TYPES: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' };
const QUESTION_AT = 12;

/** @param answer the addresses of a name at that moment; `null` for no answer at all. */
export async function startDnsServer(
  answer: (name: string) => readonly string[] | null,
): Promise<DnsServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    asked.push(`${type} ${name}`);
    const found = answer(name);
    if (found === null) return;
    const fitting = found.filter((each) => isIPv6(each) === (type === 'AAAA'));
    socket.send(
      Buffer.concat([
        head(query, fitting.length),
        query.subarray(QUESTION_AT, end),
        ...fitting.map(record),
      ]),
      port,
      address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readQuestion(query: Buffer): { name: string; type: string; end: number } {
  const labels: string[] = [];
  let at = QUESTION_AT;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const type = TYPES[query.readUInt16BE(at + 1)] ?? 'other';
  return { name: labels.join('.'), type, end: at + 5 };
}

/** A response without an error, with one question and so many answers. */
function head(query: Buffer, answers: number): Buffer {
  const bytes = Buffer.alloc(QUESTION_AT);
  query.copy(bytes, 0, 0, 2);
  bytes.writeUInt16BE(0x8180, 2);
  bytes.writeUInt16BE(1, 4);
  bytes.writeUInt16BE(answers, 6);
  return bytes;
}

/** For the name of the question, not to be kept. */
function record(address: string): Buffer {
  const data = Buffer.from(ipaddr.parse(address).toByteArray());
  const type = isIPv6(address) ? 28 : 1;
  const fixed = Buffer.alloc(12);
  fixed.writeUInt16BE(0xc00c, 0);
  fixed.writeUInt16BE(type, 2);
  fixed.writeUInt16BE(1, 4);
  fixed.writeUInt16BE(data.length, 10);
  return Buffer.concat([fixed, data]);
}
