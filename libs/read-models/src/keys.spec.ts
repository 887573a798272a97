import { describe, expect, it } from '@jest/globals';
import { projections } from '#projections';
import { namespaceOf, openNamespace } from './keys.js';

describe('the keys of read models', () => {
  it('carry the namespace, and the lane as their hash tag', () => {
    const [lane] = namespaceOf(projections).lanes;
    expect(lane?.document('plans', 'plan_1')).toMatch(
      /^sl:rm1:[0-9a-f]{10}-1:\{l0\}:doc:plans:plan_1$/,
    );
    expect(lane?.checkpoint).toMatch(/:\{l0\}:checkpoint$/);
  });

  it('keep the parts of a list apart, whatever a player is called', () => {
    const [lane] = namespaceOf(projections).lanes;
    expect(lane?.index(['s', 'app', 'a:b', ''])).not.toBe(lane?.index(['s', 'app', 'a', 'b:']));
    expect(lane?.index(['s', 'a:'])).not.toBe(lane?.index(['s', 'a%3A']));
    expect(lane?.index(['s', '\u{1F600}{x}'])).toContain('\u{1F600}{x}');
  });

  it('are others when a projection has another version, knows another fact, or has other lanes', () => {
    const { name } = namespaceOf(projections);
    const [first, ...rest] = projections;
    const versions = [{ ...first!, version: first!.version + 1 }, ...rest];
    const facts = [{ ...first!, factTypes: [...first!.factTypes, 'plan.hidden.v1'] }, ...rest];
    const shuffled = [{ ...first!, factTypes: [...first!.factTypes].reverse() }, ...rest];
    expect(namespaceOf(versions).name).not.toBe(name);
    expect(namespaceOf(facts).name).not.toBe(name);
    expect(namespaceOf(projections, 4).name).not.toBe(name);
    expect(namespaceOf(shuffled).name).toBe(name);
  });

  it('are known again by the name of the namespace alone', () => {
    const namespace = namespaceOf(projections, 3);
    const again = openNamespace(namespace.name);
    expect(again.lanes.map(({ prefix }) => prefix)).toEqual(
      namespace.lanes.map(({ prefix }) => prefix),
    );
  });

  it('put a player into one lane, always, and players into all lanes', () => {
    const namespace = namespaceOf(projections, 4);
    const laneOf = (player: string) => namespace.laneOf('app_1', player).number;
    const players = Array.from({ length: 200 }, (_, number) => `player-${number}`);
    expect(players.map(laneOf)).toEqual(players.map(laneOf));
    expect(new Set(players.map(laneOf)).size).toBe(4);
  });
});
