export { stopKeeper as default } from './keeper.mjs';
