export { hasLength, isOneLine, isPlainText } from './text.js';
