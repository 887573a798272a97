import { LRUCache } from 'lru-cache';
import { upTo } from '#platform';
import type { TargetRules } from './address.js';
import { checkTarget, type TargetCheck } from './target.js';

/** Targets of which it is remembered what their URLs say: a few hundred bytes each. */
const TARGETS_KEPT = 2_000;

/** Where a URL leads. */
interface Place {
  readonly origin: string;
  /** With what is searched for there. */
  readonly path: string;
}

const places = new LRUCache<string, Place>(upTo(TARGETS_KEPT));
const checks = new WeakMap<TargetRules, LRUCache<string, TargetCheck>>();

/** Read once from a URL that is asked for again and again. @throws TypeError for what is none. */
export function readPlace(url: string): Place {
  const known = places.get(url);
  if (known !== undefined) return known;
  const { origin, pathname, search } = new URL(url);
  const place = { origin, path: `${pathname}${search}` };
  places.set(url, place);
  return place;
}

/** As `checkTarget`, which follows from its arguments alone, for rules that are the same object each time. */
export function recallCheck(url: string, rules: TargetRules): TargetCheck {
  const checked = checks.get(rules) ?? new LRUCache<string, TargetCheck>(upTo(TARGETS_KEPT));
  const known = checked.get(url);
  if (known !== undefined) return known;
  const check = checkTarget(url, rules);
  checks.set(rules, checked.set(url, check));
  return check;
}
