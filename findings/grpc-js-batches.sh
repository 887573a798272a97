#!/usr/bin/env bash
# Behaviour: a server of @grpc/grpc-js sends messages that a handler writes in one turn of the event loop
#   in about one piece for every second message, since each message waits until the socket has taken the
#   one before. Node's own HTTP/2 server sends the same 200 messages as one piece.
# Guess before the run: some joining, since HTTP/2 joins frames that are written in one turn.
# Why it matters here: a subscription that catches up is many small messages. The embedded event store
#   therefore speaks gRPC on node:http2 itself (decision 0010), and clients alone use grpc-js.
# Version and source: @grpc/grpc-js 1.14.7, Node 20.20; found while the embedded event store was measured.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit --save-exact @grpc/grpc-js@1.14.7
cat >run.cjs <<'JS'
const { once } = require('node:events');
const http2 = require('node:http2');
const net = require('node:net');
const grpc = require('@grpc/grpc-js');
const { version } = require('@grpc/grpc-js/package.json');

const MESSAGES = 200;
const BODY = Buffer.alloc(20, 66);
const HEAD = Buffer.from([0, 0, 0, 0, BODY.length]);
const asIs = (bytes) => bytes;

/** Calls the server through a proxy that counts the pieces in which the answer comes. */
async function countPieces(port) {
  let pieces = 0;
  const proxy = net.createServer((client) => {
    const server = net.connect(port, '127.0.0.1');
    client.pipe(server);
    server.on('data', (piece) => {
      pieces += 1;
      client.write(piece);
    });
    for (const socket of [client, server]) socket.on('error', () => undefined);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const session = http2.connect(`http://127.0.0.1:${proxy.address().port}`);
  const headers = { ':method': 'POST', ':path': '/a.B/Many', te: 'trailers' };
  const call = session.request({ ...headers, 'content-type': 'application/grpc' });
  call.end(Buffer.from([0, 0, 0, 0, 1, 65]));
  await once(call, 'response');
  const before = pieces;
  call.resume();
  await once(call, 'end');
  session.destroy();
  proxy.close();
  return pieces - before;
}

async function serveByGrpcJs() {
  const server = new grpc.Server();
  const path = { path: '/a.B/Many', requestStream: false, responseStream: true };
  const codecs = { requestSerialize: asIs, requestDeserialize: asIs };
  const Many = { ...path, ...codecs, responseSerialize: asIs, responseDeserialize: asIs };
  const handler = (call) => {
    for (let sent = 0; sent < MESSAGES; sent += 1) call.write(BODY);
    call.end();
  };
  server.addService({ Many }, { Many: handler });
  const insecure = grpc.ServerCredentials.createInsecure();
  const port = await new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', insecure, (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { port, close: () => server.forceShutdown() };
}

async function serveByHttp2() {
  const server = http2.createServer();
  server.on('stream', (stream) => {
    const headers = { ':status': 200, 'content-type': 'application/grpc' };
    stream.respond(headers, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    for (let sent = 0; sent < MESSAGES; sent += 1) stream.write(Buffer.concat([HEAD, BODY]));
    stream.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, close: () => server.close() };
}

async function main() {
  const counted = {};
  for (const [name, serve] of Object.entries({ grpcJs: serveByGrpcJs, http2: serveByHttp2 })) {
    const { port, close } = await serve();
    counted[name] = await countPieces(port);
    close();
  }
  console.log(`@grpc/grpc-js ${version}, Node ${process.versions.node}`);
  console.log(`${MESSAGES} messages of one turn: ${counted.grpcJs} pieces from grpc-js, ${counted.http2} from node:http2`);
  if (counted.grpcJs < 50 || counted.http2 > 10) throw new Error('The behaviour has changed.');
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
JS
node run.cjs
