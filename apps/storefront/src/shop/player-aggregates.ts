import { cartAggregate } from '#domain/cart';
import { loyaltyAggregate } from '#domain/loyalty';
import { loyaltyProgramAggregate } from '#domain/loyalty-program';
import { playerAggregate } from '#domain/player';
import { shopAggregate } from '#domain/shop';
import { shopSessionAggregate } from '#domain/shop-session';

/** What pages of the shop show of players who look at it: kept in memory, and current (rules/events 11). */
export const PLAYER_AGGREGATES = [
  ...[playerAggregate, shopSessionAggregate, shopAggregate, cartAggregate],
  ...[loyaltyProgramAggregate, loyaltyAggregate],
];
