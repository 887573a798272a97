import { describe, expect, it } from '@jest/globals';
import { projections } from '#projections';
import { createNamespace, openNamespace } from './keys.js';

describe('the keys of read models', () => {
  it('carry the namespace, and the partition as their hash tag', () => {
    const [partition] = createNamespace(projections).partitions;
    expect(partition?.document('plans', 'plan_1')).toMatch(
      /^sl:rm1:[0-9a-f]{10}-1:\{p0\}:doc:plans:plan_1$/,
    );
    expect(partition?.checkpoint).toMatch(/:\{p0\}:checkpoint$/);
  });

  it('keep the parts of a list apart, whatever a player is called', () => {
    const [partition] = createNamespace(projections).partitions;
    expect(partition?.index(['s', 'app', 'a:b', ''])).not.toBe(
      partition?.index(['s', 'app', 'a', 'b:']),
    );
    expect(partition?.index(['s', 'a:'])).not.toBe(partition?.index(['s', 'a%3A']));
    expect(partition?.index(['s', '\u{1F600}{x}'])).toContain('\u{1F600}{x}');
  });

  it('are others when a projection has another version, knows another event, or has other partitions', () => {
    const { name } = createNamespace(projections);
    const [first, ...rest] = projections;
    const versions = [{ ...first!, version: first!.version + 1 }, ...rest];
    const events = [{ ...first!, eventTypes: [...first!.eventTypes, 'plan.hidden.v1'] }, ...rest];
    const shuffled = [{ ...first!, eventTypes: [...first!.eventTypes].reverse() }, ...rest];
    expect(createNamespace(versions).name).not.toBe(name);
    expect(createNamespace(events).name).not.toBe(name);
    expect(createNamespace(projections, 4).name).not.toBe(name);
    expect(createNamespace(shuffled).name).toBe(name);
  });

  it('are known again by the name of the namespace alone', () => {
    const namespace = createNamespace(projections, 3);
    const again = openNamespace(namespace.name);
    expect(again.partitions.map(({ prefix }) => prefix)).toEqual(
      namespace.partitions.map(({ prefix }) => prefix),
    );
  });

  it('put a player into one partition, always, and players into all partitions', () => {
    const namespace = createNamespace(projections, 4);
    const numberFor = (player: string) => namespace.partitionOf('app_1', player).number;
    const players = Array.from({ length: 200 }, (_, number) => `player-${number}`);
    expect(players.map(numberFor)).toEqual(players.map(numberFor));
    expect(new Set(players.map(numberFor)).size).toBe(4);
  });
});
