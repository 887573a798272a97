import { describe } from 'vitest';
import { useOwnLedger } from '../support/fixture.js';
import { BODY_RULES } from './edge/body-rules.js';
import { testRules, useEdge } from './edge/edge-tests.js';

/** The short form, edge.e2e.spec.ts, puts one of them into each field, and each of them into some field. */
describe('every bad value in every field of the document', () => {
  testRules(useEdge(useOwnLedger()), BODY_RULES);
});
