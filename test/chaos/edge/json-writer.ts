/** Bytes in the place of a JSON value, for text that JSON.stringify would never write. */
export class RawJson {
  readonly bytes: Buffer;

  constructor(text: string | Buffer) {
    this.bytes = typeof text === 'string' ? Buffer.from(text) : text;
  }
}

/** JSON, with `RawJson` written as it is. A half surrogate is escaped, as JSON.stringify does it. */
export function writeJson(value: unknown): Buffer {
  const parts: Buffer[] = [];
  write(value, parts);
  return Buffer.concat(parts);
}

function write(value: unknown, parts: Buffer[]): void {
  if (value instanceof RawJson) {
    parts.push(value.bytes);
  } else if (Array.isArray(value)) {
    writeAll('[', value, ']', parts, (item) => write(item, parts));
  } else if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, child]) => child !== undefined);
    writeAll('{', fields, '}', parts, ([name, child]) => {
      parts.push(Buffer.from(`${JSON.stringify(name)}:`));
      write(child, parts);
    });
  } else {
    parts.push(Buffer.from(JSON.stringify(value)));
  }
}

function writeAll<Item>(
  open: string,
  items: readonly Item[],
  close: string,
  parts: Buffer[],
  writeOne: (item: Item) => void,
): void {
  parts.push(Buffer.from(open));
  items.forEach((item, index) => {
    if (index > 0) parts.push(Buffer.from(','));
    writeOne(item);
  });
  parts.push(Buffer.from(close));
}
