export {
  add,
  decimalsOf,
  isCurrency,
  isGreater,
  isPositive,
  type Money,
  money,
  proportion,
  subtract,
  toMajor,
  zero,
} from './money.js';
