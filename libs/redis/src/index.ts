export { listMasters } from './cluster.js';
export { openRedis, type Redis } from './open-redis.js';
export { requireMaster, requireUsableRedis } from './require-usable.js';
export { redisFault, redisReply } from './reply.js';
export { loadScript, type Script } from './script.js';
export { walk, walkKeys } from './walk.js';
