import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { PaymentBooks } from '#domain/bookkeeping';
import { newUuid } from '#platform';

/** So many payments stay in memory, some kilobytes each: money moves mostly soon after it was charged. */
const MOST_IN_MEMORY = 10_000;
const LENGTH_BYTES = 4;

/**
 * The books of all payments: those that were used last in memory, the others in a file of this process alone,
 * with their places in memory. So a payment takes a hundred bytes for as long as it may be refunded, which is for good.
 */
export class PaymentStore {
  /** In the order of their last use. */
  readonly #used = new Map<string, PaymentBooks>();
  readonly #places = new Map<string, number>();
  #file: number | undefined;
  #end = 0;

  /** @param folder of the file, which is made when it is needed: it exists. */
  constructor(
    private readonly folder: string,
    private readonly mostInMemory = MOST_IN_MEMORY,
  ) {}

  /** @throws the system's error. */
  find(paymentId: string): PaymentBooks | undefined {
    const used = this.#used.get(paymentId);
    if (used !== undefined) return used;
    const place = this.#places.get(paymentId);
    return place === undefined ? undefined : this.#read(place);
  }

  /** @throws the system's error. */
  set(paymentId: string, books: PaymentBooks): void {
    this.#used.delete(paymentId);
    this.#used.set(paymentId, books);
    if (this.#used.size > this.mostInMemory) this.#writeOldest();
  }

  /** Gives the disk back. */
  end(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #writeOldest(): void {
    for (const [paymentId, books] of this.#used) {
      this.#used.delete(paymentId);
      const bytes = serialize(books);
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32LE(bytes.length);
      this.#places.set(paymentId, this.#append(Buffer.concat([length, bytes])));
      return;
    }
  }

  #append(bytes: Buffer): number {
    this.#file ??= openUnseen(this.folder);
    const place = this.#end;
    // A full disk takes a part of it, and then says so.
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, place + done);
    }
    this.#end += bytes.length;
    return place;
  }

  #read(place: number): PaymentBooks {
    const length = this.#readBytes(place, LENGTH_BYTES).readUInt32LE();
    // This process wrote it, and no other one has the file.
    return deserialize(this.#readBytes(place + LENGTH_BYTES, length)) as PaymentBooks;
  }

  #readBytes(place: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    if (this.#file === undefined) throw new Error('the file of payments is closed');
    const read = readSync(this.#file, bytes, 0, length, place);
    if (read !== length) throw new Error(`the file of payments ends at ${place + read}`);
    return bytes;
  }
}

/** A file without a name: it is gone when its process is, however that ends. */
function openUnseen(folder: string): number {
  const place = path.join(folder, `payments-${newUuid()}`);
  const file = openSync(place, 'wx+', 0o600);
  unlinkSync(place);
  return file;
}
