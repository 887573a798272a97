import { describe, expect, it } from '@jest/globals';
import { deriveId, readBucket } from '#domain/ids';
import { projections } from '#projections';
import { createNamespace, namespacePattern, openNamespace, partitionTag } from './keys.js';

const one = { layoutId: 'store-1', partitions: 1 };
const sixteen = { layoutId: 'store-1', partitions: 16 };

describe('the keys of read models', () => {
  it('begin with the hash tag of their partition, and carry the namespace', () => {
    const namespace = createNamespace(projections, sixteen);
    const partition = namespace.partitions[3];
    expect(partitionTag('store-1', 3)).toBe('{sl:store-1:p3}');
    expect(partition?.document('plans', 'plan_1')).toBe(
      `{sl:store-1:p3}:rm2:${namespace.name}:doc:plans:plan_1`,
    );
    expect(partition?.checkpoint).toMatch(/^\{sl:store-1:p3\}:rm2:[0-9a-f]{10}-16:checkpoint$/);
    expect(namespace.leases.prefix(3)).toBe(`{sl:store-1:p3}:projector:${namespace.name}`);
  });

  it('are others in another ledger, also that of those who are alive', () => {
    const other = createNamespace(projections, { ...one, layoutId: 'store-2' });
    const own = createNamespace(projections, one);
    expect(other.partitions[0]?.prefix).not.toBe(own.partitions[0]?.prefix);
    expect(other.leases.members).not.toBe(own.leases.members);
    expect(namespacePattern(other)).not.toBe(namespacePattern(own));
  });

  it('keep the parts of a list apart, whatever a segment is called', () => {
    const [partition] = createNamespace(projections, one).partitions;
    expect(partition?.index(['s', 'app', 'a:b', ''])).not.toBe(
      partition?.index(['s', 'app', 'a', 'b:']),
    );
    expect(partition?.index(['s', 'a:'])).not.toBe(partition?.index(['s', 'a%3A']));
    expect(partition?.index(['s', '\u{1F600}{x}'])).toContain('\u{1F600}{x}');
  });

  it('are others when a projection has another version, knows another event, or has other partitions', () => {
    const { name } = createNamespace(projections, one);
    const [first, ...rest] = projections;
    const versions = [{ ...first!, version: first!.version + 1 }, ...rest];
    const events = [{ ...first!, eventTypes: [...first!.eventTypes, 'plan.hidden.v1'] }, ...rest];
    const shuffled = [{ ...first!, eventTypes: [...first!.eventTypes].reverse() }, ...rest];
    expect(createNamespace(versions, one).name).not.toBe(name);
    expect(createNamespace(events, one).name).not.toBe(name);
    expect(createNamespace(projections, sixteen).name).not.toBe(name);
    expect(createNamespace(shuffled, one).name).toBe(name);
  });

  it('are known again by the name of the namespace alone', () => {
    const namespace = createNamespace(projections, sixteen);
    const again = openNamespace('store-1', namespace.name);
    expect(again.partitions.map(({ prefix }) => prefix)).toEqual(
      namespace.partitions.map(({ prefix }) => prefix),
    );
  });

  it('put what has an id of a bucket, and the player of that bucket, into one partition', () => {
    const namespace = createNamespace(projections, sixteen);
    const at = '2026-01-31T10:00:00.000Z';
    const numbers = ['00', '0f', '10', '7f', '80', 'ff'].map((bucket) => {
      const { number } = namespace.find(deriveId('sub', at, bucket, 'x'));
      expect(namespace.findForPlayer(`${bucket}1234`).number).toBe(number);
      return number;
    });
    expect(numbers).toEqual([0, 0, 1, 7, 8, 15]);
    const named = namespace.find('no id');
    expect(named.number).toBe(Number.parseInt(readBucket('no id'), 16) >> 4);
  });
});
