import {
  type CreatedPlan,
  type Plan,
  PLAN_STATUSES,
  planAggregate,
  type PlanStatus,
} from '#domain/plan';
import {
  byCreation,
  type Document,
  type DocumentPage,
  type DocumentPageOptions,
  foldedBy,
  type IndexName,
  type Projection,
} from '#projection-engine/define';
import { onlyExisting, pageOfExisting } from './existing.js';
import { planRecipe } from './recipes/plans.js';

interface PlanFilter {
  readonly status?: PlanStatus | undefined;
  readonly segmentId?: string | undefined;
}

interface PlanQueries {
  byId(id: string): Promise<Document<CreatedPlan> | undefined>;
  byCode(
    appId: string,
    segmentId: string,
    code: string,
  ): Promise<Document<CreatedPlan> | undefined>;
  /** Newest first; without a segment, of all segments; without a status, in any. */
  list(
    appId: string,
    options: PlanFilter & DocumentPageOptions,
  ): Promise<DocumentPage<CreatedPlan>>;
}

/** Which plans does an app offer, in which state, and under which code? (rules/api 17) */
export const plans: Projection<Plan, PlanQueries> = {
  ...foldedBy(planAggregate),
  name: 'plans',
  version: 3,
  indexes: (id, plan) => {
    if (plan.status === 'none') return [];
    const { appId, segmentId, code, status, createdAt } = plan;
    const lists = [
      appList(appId, status),
      segmentList(appId, segmentId, status),
      planWithCode(appId, segmentId, code),
    ];
    return lists.map((list) => byCreation(list, createdAt, id));
  },
  recipe: planRecipe,
  queries: (read) => ({
    byId: async (id) => onlyExisting(await read.find(id)),
    byCode: async (appId, segmentId, code) => {
      const index = planWithCode(appId, segmentId, code);
      const { documents } = await read.page([index], { id: appId }, { limit: 1 });
      return onlyExisting(documents[0]);
    },
    list: async (appId, { status, segmentId, ...options }) => {
      const statuses = status === undefined ? PLAN_STATUSES : [status];
      const lists = statuses.map((each) =>
        segmentId === undefined ? appList(appId, each) : segmentList(appId, segmentId, each),
      );
      const page = { ...options, isRemembered: true };
      return pageOfExisting(await read.page(lists, { id: appId }, page));
    },
  }),
};

/** The plans of an app in one status; those in any are all of these lists. */
function appList(appId: string, status: PlanStatus): IndexName {
  return ['app', appId, status];
}

/** Those in one segment. */
function segmentList(appId: string, segmentId: string, status: PlanStatus): IndexName {
  return ['segment', appId, segmentId, status];
}

/** The one plan that has this code in this segment. */
function planWithCode(appId: string, segmentId: string, code: string): IndexName {
  return ['code', appId, segmentId, code];
}
