export { openRedis } from './open-redis.js';
export { redisFault, redisReply } from './reply.js';
export { loadScript } from './script.js';
