import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { variables } from '#platform';
import { readApiConfig } from '../../../apps/api/src/config.js';
import { readBookkeeperConfig } from '../../../apps/bookkeeper/src/config.js';
import { readProjectorConfig } from '../../../apps/projector/src/config.js';
import { listNodeFlags } from '../../../apps/standalone/src/node-flags.js';
import { readStorefrontConfig } from '../../../apps/storefront/src/config.js';
import { readWorkerConfig } from '../../../apps/worker/src/config.js';
import { interpolate, readServices, ROOT } from './support.js';

const services = readServices();
const PROFILES = ['single', 'cluster'] as const;
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const KNOWN_NAMES = new Set(Object.values(variables).map(({ name }) => name));

/** Those of `ClusterVNodeOptions.cs` at v26.1.0 that one may think of here; another image needs another look. */
const STORE_OPTIONS = {
  image: 'docker.kurrent.io/kurrent-latest/kurrentdb:26.1.0',
  names: [
    ...['INSECURE', 'RUN_PROJECTIONS', 'TELEMETRY_OPTOUT', 'CLUSTER_SIZE', 'DISCOVER_VIA_DNS'],
    ...['GOSSIP_SEED', 'GOSSIP_TIMEOUT_MS', 'GOSSIP_INTERVAL_MS', 'LEADER_ELECTION_TIMEOUT_MS'],
    ...['REPLICATION_HEARTBEAT_INTERVAL', 'REPLICATION_HEARTBEAT_TIMEOUT'],
    ...['ADVERTISE_HOST_TO_CLIENT_AS', 'ADVERTISE_NODE_PORT_TO_CLIENT_AS'],
    // Of a plugin that comes with it.
    'SECONDARY_INDEXING__ENABLED',
  ].map((name) => `KURRENTDB_${name}`),
};
const isStore = ({ image }: { readonly image: string }) => image === STORE_OPTIONS.image;

const startedBy = (profile: string) =>
  Object.entries(services)
    .filter(([, { profiles }]) => profiles?.includes(profile))
    .map(([name]) => name);
const ours = Object.entries(services).filter(([, { image }]) => image === 'subledger');

describe('docker-compose.yml', () => {
  it('starts one node with one profile, three with the other, and nothing with none', () => {
    const stores = PROFILES.map((profile) =>
      startedBy(profile).filter((name) => isStore(services[name] ?? { image: '' })),
    );
    expect(stores).toEqual([['eventstore'], ['node1', 'node2', 'node3']]);
    expect(Object.values(services).filter(({ profiles }) => profiles === undefined)).toEqual([]);
  });

  it.each(PROFILES)(
    'with the profile %s starts all programs, Redis, and what they wait for',
    (profile) => {
      const started = startedBy(profile);
      const programs = [
        'api',
        'bookkeeper',
        'projector',
        'redis',
        'store-init',
        'storefront',
        'worker',
      ];
      expect(started).toEqual(expect.arrayContaining(programs));
      for (const name of started) {
        for (const [awaited, { required }] of Object.entries(services[name]?.depends_on ?? {})) {
          expect([name, awaited, required !== false ? started.includes(awaited) : true]).toEqual([
            name,
            awaited,
            true,
          ]);
        }
      }
    },
  );

  it('gives the nodes of KurrentDB options that their version has, since they do not start with others', () => {
    const nodes = Object.values(services).filter(isStore);
    expect(nodes).toHaveLength(4);
    for (const { environment = {}, volumes = [] } of nodes) {
      expect(volumes).toEqual([expect.stringMatching(/:\/var\/lib\/kurrentdb$/)]);
      expect(STORE_OPTIONS.names).toEqual(expect.arrayContaining(Object.keys(environment)));
    }
  });

  it('lets three nodes elect another leader within seconds of its freezing', () => {
    for (const node of ['node1', 'node2', 'node3']) {
      expect(services[node]?.environment).toMatchObject({ KURRENTDB_GOSSIP_TIMEOUT_MS: '1000' });
    }
  });

  it('waits for the health of what has one', () => {
    const waits = Object.values(services).flatMap(({ depends_on: awaited = {} }) =>
      Object.entries(awaited),
    );
    const healthy = waits.filter(([, { condition }]) => condition === 'service_healthy');
    expect(healthy.length).toBeGreaterThan(4);
    for (const [name] of healthy) {
      expect([name, services[name]?.healthcheck?.test?.length ?? 0]).not.toEqual([name, 0]);
    }
  });

  it('runs programs that are built', () => {
    expect(ours.map(([name]) => name).sort()).toEqual(
      ['api', 'bookkeeper', 'projector', 'store-init', 'storefront', 'worker'].sort(),
    );
    for (const [, { command = [] }] of ours) {
      const program = [command].flat().find((word) => !word.startsWith('--')) ?? '';
      expect(program).toMatch(/^dist\/programs\/\w+\.js$/);
      expect([program, existsSync(path.join(ROOT, program))]).toEqual([program, true]);
    }
  });

  it('starts those that run for good with the flags of the standalone', () => {
    const lasting = ours.filter(([name]) => name !== 'store-init');
    for (const [name, { command }] of lasting) {
      expect(command).toEqual([...listNodeFlags(name), `dist/programs/${name}.js`]);
    }
  });

  it('gives them variables that they know, with values that they take', () => {
    for (const [, { environment = {} }] of ours) {
      expect(Object.keys(environment).filter((name) => !KNOWN_NAMES.has(name))).toEqual([]);
    }
    const readEnvironment = (name: string) =>
      interpolate(services[name]?.environment ?? {}, MASTER_KEY);
    const api = readApiConfig(readEnvironment('api'));
    for (const { eventStoreUrl } of [
      api,
      readWorkerConfig(readEnvironment('worker')),
      readProjectorConfig(readEnvironment('projector')),
      readBookkeeperConfig(readEnvironment('bookkeeper')),
      readStorefrontConfig(readEnvironment('storefront')),
    ]) {
      expect(eventStoreUrl).toBe('esdb://eventstore:2113?tls=false');
    }
    expect(api.redisUrl).toBe('redis://redis:6379');
  });
});
