/** Documents that are compared, or lists that are read, at a time: the store and Redis answer others meanwhile. */
export const AT_ONCE = 16;
