import { describe, expect, it } from 'vitest';
import type { Projection } from '../define/index.js';
import { findReadModel, openReadModel, partitionTag, readModelPattern } from './keys.js';

const one = { layoutId: 'store-1', partitions: 1 };
const sixteen = { layoutId: 'store-1', partitions: 16 };
// Of a projection, a key says no more than this.
const visits = {
  name: 'visits',
  version: 2,
  eventTypes: ['a.b.v1', 'a.c.v1'],
} as unknown as Projection<unknown>;

describe('the keys of a read model', () => {
  it('begin with the hash tag of their partition, and name projection, version and generation', () => {
    const readModel = findReadModel(visits, sixteen);
    const partition = readModel.partitions[3];
    expect(partitionTag('store-1', 3)).toBe('{sl:store-1:p3}');
    expect(readModel.name).toMatch(/^visits\.2\.[0-9a-f]{6}$/);
    const prefix = `{sl:store-1:p3}:rm5:${readModel.name}`;
    expect(partition?.checkpoint).toBe(`${prefix}:checkpoint`);
    expect(partition?.generation('e1').documents).toBe(`${prefix}:e1:d`);
    expect(readModel.leases.prefix(3)).toBe(`{sl:store-1:p3}:projector:${readModel.name}`);
  });

  it('are others in another ledger, also that of those who are alive', () => {
    const other = findReadModel(visits, { ...one, layoutId: 'store-2' });
    const own = findReadModel(visits, one);
    expect(other.partitions[0]?.prefix).not.toBe(own.partitions[0]?.prefix);
    expect(other.leases.members).not.toBe(own.leases.members);
    expect(readModelPattern(other.layoutId)).not.toBe(readModelPattern(own.layoutId));
  });

  it('keep the parts of a list apart, whatever a segment is called', () => {
    const generation = findReadModel(visits, one).partitions[0]?.generation('e1');
    const key = (...parts: [string, ...string[]]) => generation?.index(parts);
    expect(key('s', 'app', 'a:b', '')).not.toBe(key('s', 'app', 'a', 'b:'));
    expect(key('s', 'a:')).not.toBe(key('s', 'a%3A'));
    expect(key('s', '\u{1F600}{x}')).toContain('\u{1F600}{x}');
  });

  it('are others when the projection has another version or knows another event', () => {
    const { name } = findReadModel(visits, one);
    const nameWith = (change: object) => findReadModel({ ...visits, ...change }, one).name;
    expect(nameWith({ version: 3 })).not.toBe(name);
    expect(nameWith({ eventTypes: [...visits.eventTypes, 'a.d.v1'] })).not.toBe(name);
    expect(nameWith({ eventTypes: [...visits.eventTypes].reverse() })).toBe(name);
  });

  it('are known again by the name of the read model alone', () => {
    const readModel = findReadModel(visits, sixteen);
    const again = openReadModel(readModel.name, sixteen);
    expect(again.partitions.map(({ prefix }) => prefix)).toEqual(
      readModel.partitions.map(({ prefix }) => prefix),
    );
  });
});
