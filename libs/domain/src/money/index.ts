export {
  add,
  decimalsOf,
  isCurrency,
  isGreater,
  isPositive,
  type Money,
  money,
  proportion,
  prorate,
  subtract,
  toMajor,
  zero,
} from './money.js';
