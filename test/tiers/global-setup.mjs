export { startKeeper as default } from './keeper.mjs';
