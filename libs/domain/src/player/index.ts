export {
  nameRegistration,
  type Player,
  playerAggregate,
  type PlayerErased,
  type PlayerEvent,
  type PlayerRegistered,
  type RegisteredPlayer,
} from './player.js';
