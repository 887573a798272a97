/**
 * Commands as a program on Emmett answers them: the same requests over HTTP with the same signatures, the same
 * decisions, on the same event store. Fastify and the client of EventStoreDB are the ledger's own versions.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import process from 'node:process';
import { CommandHandler } from '@event-driven-io/emmett';
import { getEventStoreDBEventStore } from '@event-driven-io/emmett-esdb';
import { EventStoreDBClient } from '@eventstore/db-client';
import Fastify from 'fastify';
import { subscriptionAggregate } from '../../dist/libs/domain/src/subscription/index.js';

const { EVENTSTOREDB_URL, APP_ID, INGRESS_SECRET, CATEGORY } = process.env;
const key = Buffer.from(INGRESS_SECRET, 'base64');
const { decider } = subscriptionAggregate;
const store = getEventStoreDBEventStore(EventStoreDBClient.connectionString(EVENTSTOREDB_URL));
const handle = CommandHandler({
  evolve: decider.evolve,
  initialState: () => decider.initialState,
  mapToStreamId: (id) => `${CATEGORY}-${id}`,
});

const server = Fastify();
server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
  done(null, body);
});
server.post('/sdk/subscriptions/:id/:act', async (request, reply) => {
  const { id, act } = request.params;
  if (!isSigned(request.headers['x-service-hmac-signature'], request.body)) {
    return reply.code(401).send({ message: 'unauthenticated' });
  }
  const now = new Date().toISOString();
  const command =
    act === 'cancel'
      ? { kind: 'CancelSubscription', cancelAtPeriodEnd: true, now }
      : { kind: 'ReactivateSubscription', now };
  const metadata = { $correlationId: request.id, actor: `app:${APP_ID}`, occurredAt: now };
  const { newState } = await handle(store, id, (state) => {
    const decision = decider.decide(command, state);
    if (!decision.accepted) throw new Error(decision.rejection.code);
    return decision.events.map((event) => ({ ...event, metadata }));
  });
  const { subscriptionId, status, planId, canceledAt, createdAt } = newState;
  return { id: subscriptionId, status, plan_id: planId, canceled_at: canceledAt, createdAt };
});
const url = await server.listen({ port: 0, host: '127.0.0.1' });
console.log(JSON.stringify({ url, id: randomUUID(), ready: true }));
process.once('SIGTERM', () => process.exit(0));

function isSigned(header, body) {
  const [, , millis, mac = ''] = String(header).split(';');
  const expected = createHmac('sha256', key).update(`${millis}.`).update(body).digest();
  const given = Buffer.from(mac, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
