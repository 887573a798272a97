import { expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import { sealWitnessesAggregate, type SealWitnessesEvent } from './index.js';

const { decider } = sealWitnessesAggregate;
const listed = (appId: string): SealWitnessesEvent => ({
  type: 'seal_witnesses.listed.v1',
  data: { appId },
});
const list = (appId: string) => ({ kind: 'ListSealWitness', appId }) as const;

it('the list of witnesses has each app once, in the order in which they came', () => {
  expect(given(decider).when(list('app_2'))).toEqual([listed('app_2')]);
  const both = given(decider, listed('app_2'), listed('app_1'));
  expect(both.state).toEqual({ appIds: ['app_2', 'app_1'] });
  expect(both.when(list('app_1'))).toEqual([]);
});
