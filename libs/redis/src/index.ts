export { redisFault } from './fault.js';
export { openRedis } from './open-redis.js';
export { loadLua, type Script } from './script.js';
