/** The merchant's pictures: small drawings of its own. */
const FRAME = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 160"';

const gem = (x, y, size) =>
  `<path d="M${x} ${y - size}l${size} ${size * 0.7}l${-size} ${size * 1.3}l${-size} ${-size * 1.3}z"/>` +
  `<path d="M${x} ${y - size}l${size * 0.4} ${size * 0.7}l${-size * 0.4} ${size * 1.3}" fill="#fff" opacity=".35"/>`;

const DRAWINGS = {
  'gems-100': ['#0ea5e9', gem(80, 80, 34)],
  'gems-500': ['#0d9488', gem(55, 88, 28) + gem(105, 72, 32)],
  'gems-1200': ['#7c3aed', gem(48, 98, 24) + gem(112, 98, 24) + gem(80, 62, 34)],
  sword: ['#b45309', '<path d="M76 24h8l4 78h-16z"/><path d="M54 102h52v9H54zM75 111h10v26H75z"/>'],
  dragon: [
    '#be123c',
    '<path d="M24 96q20-58 60-52q-8-16 8-24q4 16 20 20q26 8 24 34q-16-8-30 0q18 20 6 46q-12-22-34-22q-24 0-54-2z"/>',
  ],
  chest: ['#4d7c0f', '<path d="M34 72q0-28 46-28t46 28zM34 78h38v12h16V78h38v42H34z"/>'],
};

let pictures;

/** SVGs by their path. */
export function listPictures() {
  pictures ??= new Map(
    Object.entries(DRAWINGS).map(([id, [color, shapes]]) => [
      `/pictures/${id}.svg`,
      draw(color, shapes),
    ]),
  );
  return pictures;
}

function draw(color, shapes) {
  const ground = `<rect width="160" height="160" rx="16" fill="${color}" opacity=".16"/>`;
  return `<svg ${FRAME}>${ground}<g fill="${color}">${shapes}</g></svg>`;
}
